import { transaction } from "../../db/database.ts";
import type { RefundAnswer } from "../../providers/provider.ts";
import { openProvider, providerIo, type PaymentContext } from "../provider.ts";
import { markRefunded } from "../store.ts";
import { callProvider, toProviderCharge } from "./call.ts";
import { nextRefund } from "./schedule.ts";
import { claimRefund, lockCharge, selectCharge, updateCharge, type Charge } from "./store.ts";

/** Milliseconds a provider has to take a refund. */
const TIMEOUT = 20_000;

/**
 * Gives an approved charge back that nothing is owed for, or asks what became of that. Each
 * repetition has the same key, and one that is under way elsewhere is left alone.
 * @throws what the provider threw; it is tried again later
 */
export async function refundCharge(payments: PaymentContext, chargeId: string): Promise<void> {
  const charge = await selectCharge(payments.pool, chargeId);
  if (charge?.refund_state !== "owed" && charge?.refund_state !== "under_way") return;
  const by = await openProvider(payments, charge.account_id);
  if (!by) return;
  const { adapter } = by;
  const next = nextRefund(charge.refund_tries, payments.now());
  const isMine =
    adapter.isLocal ||
    (await claimRefund(payments.pool, chargeId, { now: payments.now(), next }));
  if (!isMine) return;
  const io = providerIo(payments, TIMEOUT);
  const known = toProviderCharge(charge);
  const answer = await callProvider(payments, by, (settings) =>
    charge.refund_state === "under_way" && charge.refund_id !== null && adapter.inquireRefund
      ? adapter.inquireRefund(known, charge.refund_id, settings, io)
      : adapter.refund(
          known,
          { amount: charge.amount, key: charge.charge_id, refund_id: charge.refund_id },
          settings,
          io,
        ),
  );
  await recordRefund(payments, chargeId, answer);
}

const recordRefund = ({ pool, now }: PaymentContext, chargeId: string, answer: RefundAnswer) =>
  transaction(pool, async (database) => {
    const charge = await lockCharge(database, chargeId);
    if (!charge || charge.refund_state === null || charge.refund_state === "done") return;
    const refund_tries = charge.refund_tries + 1;
    const changes = changesOf(answer, nextRefund(refund_tries, now()));
    await updateCharge(database, { ...charge, refund_tries, ...changes });
    if (answer.state === "done") await markRefunded(database, charge);
  });

function changesOf(answer: RefundAnswer, next_at: Date): Partial<Charge> {
  switch (answer.state) {
    case "done":
      return { refund_state: "done", refund_id: answer.refund_id, next_at: null };
    case "under_way":
      return { refund_state: "under_way", refund_id: answer.refund_id, next_at };
    case "by_hand":
      return { refund_state: "by_hand", refund_text: answer.where, next_at };
    case "refused":
      return {
        refund_state: answer.again ? "owed" : "refused",
        refund_text: answer.text,
        next_at,
      };
  }
}
