import "server-only";
import * as z from "zod";
import type { Subscription } from "#contract/subscriptions.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Database } from "#lib/db/pool.ts";
import { AppError, invalidInput, isAnswerLost } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { NOTHING_SAID, type Leaving } from "#lib/money/leave-reasons.ts";
import { normalizeReasonText } from "./goodwill/rules.ts";
import { insertContact, withdrawContact, type Giver } from "./goodwill/store.ts";

const LONGEST = 1_000;

export const LeavingInput = z
  .object({
    reason: z.string().max(LONGEST).nullable(),
    words: z.string().max(LONGEST).transform(normalizeReasonText),
  })
  .default(NOTHING_SAID);

/**
 * The reason in the form that is stored. A reason that left the seller's list since the page was
 * opened counts as not given.
 * @throws AppError `validation` if the seller requires a reason and none is given
 */
export function requireLeaving(
  { leave_reasons, needs_leave_reason }: SignedIn["seller"],
  { reason, words }: Leaving,
): Leaving {
  const known = reason !== null && leave_reasons.includes(reason) ? reason : null;
  if (needs_leave_reason && known === null && words === "")
    throw invalidInput(message("leaving.required"));
  return { reason: known, words };
}

/**
 * Cancels with the buyer's reason, which is stored first, so that a lost answer does not lose it; a
 * refusal takes it back. An earlier reason is replaced only afterwards: a refused second
 * cancellation keeps it.
 */
export async function cancelWithReason<Value>(
  db: Database,
  giver: Giver,
  before: Subscription,
  { reason, words }: Leaving,
  send: () => Promise<Value>,
): Promise<Value> {
  const id = await insertContact(db, giver, before, "leave", {
    ...(reason !== null && { reason }),
    ...(words && { text: words }),
  });
  let isRefused = false;
  try {
    return await send();
  } catch (error) {
    isRefused = error instanceof AppError && !isAnswerLost(error.failure);
    throw error;
  } finally {
    await (isRefused ? withdrawContact(db, giver, id) : withdrawLeaving(db, giver, before, id));
  }
}

/**
 * Takes the reasons back: the buyer stays, the subscription was not cancelled, or there is a newer
 * reason.
 * @param kept the contact with the newer reason
 */
export async function withdrawLeaving(
  db: Database,
  { owner, user }: Giver,
  { subscription_id }: Pick<Subscription, "subscription_id">,
  kept: string | null = null,
): Promise<void> {
  await db.query(
    `update contact set undone_at = clock_timestamp(), undone_by = $4
      where seller_id = $1 and mode = $2 and subscription_id = $3 and kind = 'leave'
        and undone_at is null and id is distinct from $5`,
    [owner.seller_id, owner.mode, subscription_id, user.id, kept],
  );
}
