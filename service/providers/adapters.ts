import { connectIps } from "./connectips.ts";
import { esewa } from "./esewa.ts";
import { fonepay, fonepayQr } from "./fonepay.ts";
import { khalti } from "./khalti.ts";
import type { ProviderAdapter } from "./provider.ts";
import { stripe } from "./stripe.ts";

/** The protocols by which buyers pay, one adapter for each. */
export const PROVIDER_ADAPTERS: readonly ProviderAdapter[] = [
  khalti,
  esewa,
  connectIps,
  fonepay,
  fonepayQr,
  stripe,
];
