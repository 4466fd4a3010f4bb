import { lookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { callbackify, promisify } from "node:util";
import { isRefusedAddress, type TargetRules } from "../webhooks/target.ts";

export type ResolveHost = (hostname: string) => Promise<LookupAddress[]>;

const lookupAll = promisify(lookup);
export const resolveByDns: ResolveHost = (hostname) => lookupAll(hostname, { all: true });

export class PrivateTarget extends Error {}

/**
 * Spec choice, live webhook targets: the lookup of the connection itself, so the address that
 * is checked is the one connected to; DNS rebinding gains nothing. One forbidden address
 * refuses the whole name.
 */
export function guardedLookup(resolve: ResolveHost, rules: TargetRules): LookupFunction {
  const addressesOf = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname);
    if (addresses.some(({ address }) => isRefusedAddress(rules, address)))
      throw new PrivateTarget();
    if (addresses.length === 0) throw Object.assign(new Error(), { code: "ENOTFOUND" });
    return addresses;
  });
  return (hostname, options, callback) =>
    addressesOf(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) callback(error, "");
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}
