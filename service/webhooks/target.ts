import { BlockList, isIP, isIPv6 } from "node:net";

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

const privateAddresses = new BlockList();
for (const [network, prefix] of PRIVATE_SUBNETS)
  privateAddresses.addSubnet(network, prefix, isIPv6(network) ? "ipv6" : "ipv4");

/** True for addresses that are not on the public internet; an IPv4 inside an IPv6 is looked at too. */
export function isPrivateAddress(address: string): boolean {
  return privateAddresses.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal|home\.arpa)\.?$/;

/**
 * ADR 0134: what a live registration may not point at, in words, or null. Only what the address
 * itself shows: what a name resolves to is looked at when a delivery connects.
 */
export function problemOfLiveTarget(endpointUrl: string): string | null {
  // The parser has already turned decimal, octal and full-width spellings into plain addresses.
  const { protocol, port, hostname } = new URL(endpointUrl);
  if (protocol !== "https:")
    return "Live deliveries need an address that begins with https://.";
  if (port !== "" && port !== "8443") return "Use port 443 or 8443.";
  const host = hostname.replace(/^\[|\]$/g, "");
  const isAddress = isIP(host) !== 0;
  if (isAddress ? isPrivateAddress(host) : LOCAL_NAME.test(host) || !host.includes("."))
    return "Use an address on the public internet.";
  return null;
}
