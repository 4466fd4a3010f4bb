import "server-only";
import type { NoticeList } from "#contract/deliveries.ts";
import type { BillingClient } from "./client.ts";
import { failureOf, isPassing, type FailureKind } from "#lib/failure.ts";
import type { Extension } from "./transport.ts";

/** What says that an address is not there; anything else may be otherwise in a moment. */
const MEANS_UNSUPPORTED = new Set<FailureKind>([
  "not_found",
  "not_offered",
  // Of the door alone, as the API itself takes the key.
  "unauthorized",
  "unverified",
]);
const UNRELATED_TO_PATH = new Set<FailureKind>(["not_connected", "mode_absent", "validation"]);

/**
 * For what the specification does not ask a service to have: null where it answers, but has none.
 * What is said there of the key counts only if the API itself says so: a gateway may answer 401 or
 * 403 for an address that it does not know. @throws AppError when nobody can tell
 * @param door what is missing as a whole when this is: it is not asked for again
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

/** What happened to its webhooks, as the service tells; null where it tells nothing of deliveries. */
export const readNotices = (billing: BillingClient): Promise<NoticeList | null> =>
  orUnsupported(billing, () => billing.deliveries.listNotices(), "deliveries");

/**
 * For a write that only some services have: a read says first whether this one does.
 * @returns null, and nothing was sent, where it does not
 */
export async function sendIfOffered<Value>(
  billing: BillingClient,
  send: () => Promise<Value>,
): Promise<Value | null> {
  if ((await readNotices(billing)) === null) return null;
  return orUnsupported(billing, send);
}
