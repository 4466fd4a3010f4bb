import {
  isMetadataAddress,
  isPrivateAddress,
  isRefusedHost,
} from "#contract/process/private-address.ts";
import type { ServiceContext } from "../context.ts";

export type TargetRules = Pick<ServiceContext, "mode" | "privateTargets">;

export const isRefusedAddress = ({ mode, privateTargets }: TargetRules, address: string) =>
  isMetadataAddress(address) ||
  (!(mode === "test" && privateTargets) && isPrivateAddress(address));

/**
 * Spec choice, live webhook targets: why an endpoint URL is not allowed, as a sentence, or
 * null. This only checks the URL itself; the addresses of its host are checked when a delivery
 * connects.
 */
export function targetProblem(rules: TargetRules, endpointUrl: string): string | null {
  // The URL parser has already normalised decimal, octal and full-width spellings of addresses.
  const { protocol, port, hostname } = new URL(endpointUrl);
  if (rules.mode === "live") {
    if (protocol !== "https:") return "Live mode needs an address that begins with https://.";
    if (port !== "" && port !== "8443") return "Use port 443 or 8443.";
  }
  const isRefused = isRefusedHost(hostname, (address) => isRefusedAddress(rules, address));
  return isRefused ? "Use an address on the public internet." : null;
}
