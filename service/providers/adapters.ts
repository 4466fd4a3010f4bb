import { khalti } from "./khalti.ts";
import type { ProviderAdapter } from "./provider.ts";

/** The protocols by which buyers pay, one adapter for each. */
export const PROVIDER_ADAPTERS: readonly ProviderAdapter[] = [khalti];
