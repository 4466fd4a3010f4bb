import type { ServiceContext } from "../app.ts";
import type { PaymentProvider } from "./provider.ts";
import { createSandboxProvider } from "./sandbox-provider.ts";

/** The checkout with the provider that it takes payments by. */
export interface Till {
  pool: ServiceContext["pool"];
  now: () => Date;
  provider: PaymentProvider;
}

/** The one place that names a provider; null where there is none yet, and nothing can be paid. */
export function openTill({
  pool,
  now,
  mode,
}: Pick<ServiceContext, "pool" | "now" | "mode">): Till | null {
  return mode === "test" ? { pool, now, provider: createSandboxProvider(pool, now) } : null;
}
