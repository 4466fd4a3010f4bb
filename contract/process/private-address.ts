import { BlockList, isIP, isIPv6 } from "node:net";

const PRIVATE_SUBNETS = [
  // This host; private, shared, loopback and link-local addresses, among them the clouds' metadata
  // services.
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
  // Loopback and IPv4-compatible addresses, NAT64, discard, Teredo, documentation, 6to4, local,
  // multicast.
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
/** Whether a cloud serves a machine's credentials at an address. */
export const isMetadataAddress = within(METADATA_SUBNETS);

const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/;

/**
 * Whether the host of a URL is refused by its text alone; the addresses of a name are checked when a
 * connection is made.
 */
export function isRefusedHost(
  hostname: string,
  isRefused: (address: string) => boolean,
): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return isRefused(host);
  return isRefused("127.0.0.1") && (LOCAL_NAME.test(host) || !host.includes("."));
}
