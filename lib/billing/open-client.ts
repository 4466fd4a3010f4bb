import "server-only";
import { database } from "#lib/db/pool.ts";
import { billingUrl, encryptionKeysOf, env } from "#lib/env.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { BillingClient } from "./client.ts";
import { openConnection } from "./connection.ts";
import { AppError } from "#lib/failure.ts";
import type { TransportOptions } from "./transport.ts";

/**
 * A client by that seller's stored key. Asks nobody's permission: requireSeller hands it to people.
 * Only the keeper of the copy opens one for itself, and the comparison with the copy, behind its own
 * permission, because what it reads must not change what it compares.
 */
export function openClient(owner: KeyOwner, keep?: TransportOptions["keep"]): BillingClient {
  const baseUrl = billingUrl(owner.mode);
  return new BillingClient({
    baseUrl: baseUrl ?? "",
    connect: async () => {
      if (baseUrl === null) throw new AppError({ kind: "mode_absent" });
      return openConnection(database(), owner, encryptionKeysOf(env()));
    },
    ...(keep && { keep }),
  });
}
