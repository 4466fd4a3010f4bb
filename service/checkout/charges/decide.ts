import type { DoneBy } from "#contract/recorded-payments.ts";
import type { Database } from "../../db/database.ts";
import { insertRefund } from "../../refunds/store.ts";
import { lockCheckout } from "../open.ts";
import { selectAttempt, touchCheckout, updateAttempt } from "../store.ts";
import { bookCharge, type LockedCharge } from "./conclude.ts";
import { lockCharge, selectCharges, takenAmount, updateCharge } from "./store.ts";

/** A held charge with its attempt and subscription, locked; null if it is not held any more. */
export async function lockHeldCharge(
  database: Database,
  { charge_id, subscription_id }: { charge_id: string; subscription_id: string },
  clock: Date,
): Promise<LockedCharge | null> {
  const checkout = await lockCheckout(database, subscription_id, clock);
  const charge = await lockCharge(database, charge_id);
  const attempt = charge && (await selectAttempt(database, subscription_id, charge.attempt_id));
  return charge?.state === "held" && attempt ? { checkout, charge, attempt, clock } : null;
}

/**
 * Counts a held charge as if its provider had approved it. The provider's own amount stays noted.
 * @throws a unique violation of one_active_per_period or one_payment_per_period
 */
export async function countAsPaid(database: Database, held: LockedCharge): Promise<void> {
  const { amount, currency, answered_amount, answered_currency, transaction_id, fee } =
    held.charge;
  await bookCharge(database, held, {
    state: "approved",
    amount: answered_amount ?? amount,
    currency: answered_currency ?? currency,
    transaction_id: transaction_id ?? held.charge.reference ?? "",
    fee,
    at: null,
  });
}

/** Refunds the money of a held charge. */
export async function refundHeld(
  database: Database,
  { checkout, charge, attempt, clock }: LockedCharge,
  asked: { by: DoneBy; reason: string },
): Promise<void> {
  const { seller_id, subscription_id, charge_id } = charge;
  await updateCharge(database, {
    ...charge,
    state: "approved",
    leased_until: null,
    next_at: null,
    approved_at: clock,
  });
  await insertRefund(database, {
    seller_id,
    subscription_id,
    charge_id,
    payment_id: null,
    amount: takenAmount(charge),
    asked,
    state: "owed",
    place: null,
    next_at: clock,
    requested_at: checkout.now,
  });
  if (attempt.state === "pending" || attempt.state === "failed")
    await updateAttempt(database, { ...attempt, state: "returning", reason: "given_back" });
  await touchCheckout(database, checkout.subscription, checkout.now);
}

/** Ends a held charge for which no money came; its provider is no longer asked. */
export async function endHeld(
  database: Database,
  { checkout, charge, attempt, clock }: LockedCharge,
): Promise<void> {
  await updateCharge(database, {
    ...charge,
    state: "left",
    leased_until: null,
    ended_at: clock,
    next_at: null,
  });
  const others = await selectCharges(database, attempt);
  const isWaiting = others.some(({ state }) => ["claimed", "open", "held"].includes(state));
  if (attempt.state !== "pending" || isWaiting) return;
  await touchCheckout(database, checkout.subscription, checkout.now);
  await updateAttempt(database, { ...attempt, state: "failed", reason: "left" });
}
