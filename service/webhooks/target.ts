import { BlockList, isIP, isIPv6 } from "node:net";
import type { ServiceContext } from "../context.ts";

const PRIVATE_SUBNETS = [
  // This host, private, shared, loopback, and link-local with the metadata addresses of clouds.
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  // Protocol assignments, documentation, 6to4 relays, benchmarks, multicast, reserved.
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  // Loopback and IPv4 in its old spelling, NAT64, discard, Teredo, documentation, 6to4, local, multicast.
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const;

// Addresses where clouds serve a machine's credentials, also as IPv4 inside IPv6.
const METADATA_SUBNETS = [
  ["169.254.0.0", 16],
  ["100.100.100.200", 32],
  ["168.63.129.16", 32],
  ["192.0.0.192", 32],
  ["::a9fe:0", 112],
  ["64:ff9b::a9fe:0", 112],
  ["2002:a9fe::", 32],
  ["fd00:ec2::", 32],
  ["fd20:ce::", 32],
  ["fe80::", 10],
] as const;

function within(subnets: readonly (readonly [string, number])[]) {
  const list = new BlockList();
  const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, familyOf(network));
  return (address: string) => list.check(address, familyOf(address));
}

/** Whether an address is not on the public internet; IPv4 inside IPv6 is checked too. */
export const isPrivateAddress = within(PRIVATE_SUBNETS);
const isMetadataAddress = within(METADATA_SUBNETS);

export type TargetRules = Pick<ServiceContext, "mode" | "privateTargets">;

export const isRefusedAddress = ({ mode, privateTargets }: TargetRules, address: string) =>
  isMetadataAddress(address) ||
  (!(mode === "test" && privateTargets) && isPrivateAddress(address));

const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/;

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
  const host = hostname.replace(/^\[|\]$/g, "");
  const isRefused =
    isIP(host) !== 0
      ? isRefusedAddress(rules, host)
      : isRefusedAddress(rules, "127.0.0.1") && (LOCAL_NAME.test(host) || !host.includes("."));
  return isRefused ? "Use an address on the public internet." : null;
}
