import "server-only";
import type { NoticeList } from "#contract/deliveries.ts";
import type { BillingClient } from "./client.ts";
import { failureOf, isPassing, type FailureKind } from "#lib/failure.ts";
import type { Extension } from "./transport.ts";

/** Failures that show a missing extension; others may pass. */
const MEANS_UNSUPPORTED = new Set<FailureKind>([
  "not_found",
  "not_offered",
  // Only at an extension: the API itself accepts the key.
  "unauthorized",
  "unverified",
]);
const UNRELATED_TO_PATH = new Set<FailureKind>(["not_connected", "mode_absent", "validation"]);

/**
 * For optional operations: null if the service answers but lacks this one. A 401 or 403 counts only
 * if the API itself accepts the key, since a gateway may answer so for an unknown path.
 * @throws AppError if that cannot be told
 * @param extension the extension that this operation belongs to; it is not called again for a day
 */
export async function orUnsupported<Value>(
  billing: BillingClient,
  read: () => Promise<Value>,
  extension?: Extension,
): Promise<Value | null> {
  try {
    return await read();
  } catch (error) {
    const failure = failureOf(error);
    const { kind } = failure;
    if (isPassing(failure) || UNRELATED_TO_PATH.has(kind)) throw error;
    if (kind !== "not_found" && kind !== "not_offered")
      await billing.listSubscriptions({ status: null, page: 1, page_size: 1 });
    if (extension && MEANS_UNSUPPORTED.has(kind))
      await billing[extension].rememberUnsupported();
    return null;
  }
}

/** Notices about webhooks; null if the service has none. */
export const readNotices = (billing: BillingClient): Promise<NoticeList | null> =>
  orUnsupported(billing, () => billing.deliveries.listNotices(), "deliveries");

/**
 * Sends an optional write, after a read has shown that the service supports it.
 * @returns null, with nothing sent, if it does not
 */
export async function sendIfOffered<Value>(
  billing: BillingClient,
  send: () => Promise<Value>,
): Promise<Value | null> {
  if ((await readNotices(billing)) === null) return null;
  return orUnsupported(billing, send);
}
