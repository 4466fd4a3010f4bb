import { BlockList, isIP, isIPv6 } from "node:net";
import type { ServiceContext } from "../context.ts";

const PRIVATE_SUBNETS = [
  // This host, private, shared, loopback, link-local with the clouds' metadata addresses.
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

// Where clouds tell a machine its own credentials; also as an IPv4 inside an IPv6.
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

/** True for addresses that are not on the public internet; an IPv4 inside an IPv6 is looked at too. */
export const isPrivateAddress = within(PRIVATE_SUBNETS);
const isMetadataAddress = within(METADATA_SUBNETS);

/** Which addresses deliveries may reach. */
export type TargetRules = Pick<ServiceContext, "mode" | "privateTargets">;

/** Whether deliveries by these rules stay away from an address. */
export const isRefusedAddress = ({ mode, privateTargets }: TargetRules, address: string) =>
  isMetadataAddress(address) ||
  (!(mode === "test" && privateTargets) && isPrivateAddress(address));

const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/;

/**
 * Spec choice, live webhook targets: what a registration may not point at, in words, or null. Only what the address
 * itself shows: what a name resolves to is looked at when a delivery connects.
 */
export function problemOfTarget(rules: TargetRules, endpointUrl: string): string | null {
  // The parser has already turned decimal, octal and full-width spellings into plain addresses.
  const { protocol, port, hostname } = new URL(endpointUrl);
  if (rules.mode === "live") {
    if (protocol !== "https:")
      return "Live deliveries need an address that begins with https://.";
    if (port !== "" && port !== "8443") return "Use port 443 or 8443.";
  }
  const host = hostname.replace(/^\[|\]$/g, "");
  const isRefused =
    isIP(host) !== 0
      ? isRefusedAddress(rules, host)
      : isRefusedAddress(rules, "127.0.0.1") && (LOCAL_NAME.test(host) || !host.includes("."));
  return isRefused ? "Use an address on the public internet." : null;
}
