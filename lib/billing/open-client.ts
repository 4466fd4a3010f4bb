import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database } from "#lib/db/pool.ts";
import { billingUrl, encryptionKeysOf, env } from "#lib/env.ts";
import { AppError } from "#lib/failure.ts";
import { BillingClient } from "./client.ts";
import { openConnection } from "./connection.ts";
import { getCallObserver } from "./observe.ts";
import type { TransportOptions } from "./transport.ts";

/**
 * A client with the seller's stored key, for background jobs. It checks no permission: users get
 * theirs from requireSeller. By default it has no observer, because a comparison must not change
 * the index that it compares.
 */
export function openClient(
  owner: KeyOwner,
  observe?: TransportOptions["observe"],
): BillingClient {
  const baseUrl = billingUrl(owner.mode);
  // Calls that begin together share one reading of the connection.
  let opening: ReturnType<typeof openConnection> | null = null;
  return new BillingClient({
    baseUrl: baseUrl ?? "",
    connect: async () => {
      if (baseUrl === null) throw new AppError({ kind: "mode_absent" });
      opening ??= openConnection(database(), owner, encryptionKeysOf(env())).finally(() => {
        opening = null;
      });
      return opening;
    },
    ...(observe && { observe }),
  });
}

/** A client for requireSeller and planned reminders, with an observer of the records it receives. */
export const openObservedClient = (owner: KeyOwner): BillingClient =>
  openClient(owner, (observed, context) => getCallObserver()?.(owner, observed, context));
