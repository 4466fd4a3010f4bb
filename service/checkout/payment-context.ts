import type { ServiceContext } from "../context.ts";
import type { PaymentProvider } from "./provider.ts";
import { createSandboxProvider } from "./sandbox-provider.ts";

export interface PaymentContext {
  pool: ServiceContext["pool"];
  now: () => Date;
  provider: PaymentProvider;
}

/** The only place that chooses a provider; null if there is none, so that nothing can be paid. */
export function paymentContext({
  pool,
  now,
  mode,
}: Pick<ServiceContext, "pool" | "now" | "mode">): PaymentContext | null {
  return mode === "test" ? { pool, now, provider: createSandboxProvider(pool, now) } : null;
}
