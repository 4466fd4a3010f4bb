import "server-only";
import { pauseAfterFailure, type JobPause } from "#lib/db/lease.ts";
import { failureMessages, type Failure, type FailureKind } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";

/** Failures that concern one item only, so that the run continues. */
const OWN_FAILURES = new Set<FailureKind>([
  "validation",
  "conflict",
  "not_found",
  "unexpected",
]);

/** Why a run has to wait or stop; null if only this item failed, so that it can continue. */
export const pauseForFailure = (failure: Failure): JobPause | null =>
  OWN_FAILURES.has(failure.kind) ? null : pauseAfterFailure(failure);

/** Why one item failed, as an untranslated message. */
export function describeItemFailure(failure: Failure): string {
  if (failure.kind === "not_found") return message("bulk.why.gone");
  // No form shows the field messages, so the summary includes them, as for a read.
  return failureMessages(failure, failure.kind === "validation" ? "read" : "write").title;
}
