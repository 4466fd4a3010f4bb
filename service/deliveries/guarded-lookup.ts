import { lookup, type LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { callbackify, promisify } from "node:util";
import { isRefusedAddress, type TargetRules } from "../webhooks/target.ts";

/** Every address of a name. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

const lookupAll = promisify(lookup);
export const resolveByDns: Resolve = (hostname) => lookupAll(hostname, { all: true });

/** A name that leads into the network of whoever runs the service. */
export class PrivateTarget extends Error {}

/**
 * Spec choice, live webhook targets: resolves a name for the connection itself, so what is checked is what is connected to;
 * a name that changes between two questions gains nothing. One refused address among others
 * refuses the name.
 */
export function guardedLookup(resolve: Resolve, rules: TargetRules): LookupFunction {
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
