import type { ServiceContext } from "../context.ts";
import type { PaymentProvider } from "./provider.ts";
import { createSandboxProvider } from "./sandbox-provider.ts";

/** The checkout with the provider that it takes payments by. */
export interface PaymentContext {
  pool: ServiceContext["pool"];
  now: () => Date;
  provider: PaymentProvider;
}

/** The one place that names a provider; null where there is none yet, and nothing can be paid. */
export function paymentContext({
  pool,
  now,
  mode,
}: Pick<ServiceContext, "pool" | "now" | "mode">): PaymentContext | null {
  return mode === "test" ? { pool, now, provider: createSandboxProvider(pool, now) } : null;
}
