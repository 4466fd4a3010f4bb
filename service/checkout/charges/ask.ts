import { hasOpenRefund } from "../../refunds/store.ts";
import { openProvider, providerIo, type PaymentContext } from "../provider.ts";
import { callProvider, toProviderCharge } from "./call.ts";
import { concludeAnswer, type AnnouncedFailure } from "./conclude.ts";
import { sendRefundOf } from "./refund.ts";
import { BETWEEN_QUESTIONS, laterQuestion, nextLook, nextQuestion } from "./schedule.ts";
import { claimQuestion, stopAsking, type Charge } from "./store.ts";

/** Milliseconds a provider has to answer a question. */
const TIMEOUT = 10_000;
/** Milliseconds after which the last question about a charge is repeated if it got no answer. */
const WITHOUT_ANSWER = 3_600_000;

/**
 * Asks the provider about a charge, unless this was just done or calls for its account are paused,
 * and records the answer.
 * @param ifDue whether only a charge that is due is asked about
 * @returns the failure, if this call announced one
 * @throws what the provider threw; the charge is asked about again later
 */
export async function askAbout(
  payments: PaymentContext,
  charge: Charge,
  { ifDue = false }: { ifDue?: boolean } = {},
): Promise<AnnouncedFailure | null> {
  const { reference } = charge;
  const by = reference === null ? null : await openProvider(payments, charge.account_id);
  if (!by) return null;
  const last = by.adapter.isLocal ? null : await claim(payments, charge, ifDue);
  if (last === "taken") return null;
  const answer = await callProvider(payments, by, (settings) =>
    by.adapter.inquire(toProviderCharge(charge), settings, providerIo(payments, TIMEOUT)),
  );
  if (by.adapter.isLocal && answer.state === "pending") return null;
  const { failure, isOwedBack } = await concludeAnswer(payments, charge, { answer, by });
  if (last) await stopAsking(payments.pool, charge.charge_id, last);
  // The sandbox refunds at once; for all others, a worker does.
  if (isOwedBack && by.adapter.isLocal) await sendRefundOf(payments, charge);
  return failure;
}

/**
 * Claims the right to ask, so that a charge whose question gets no answer is asked about again.
 * @returns "taken" if another process asks or calls for the account are paused; for the last
 * question about the charge, the time at which it is repeated without an answer; else null
 */
async function claim(
  { pool, now }: PaymentContext,
  charge: Charge,
  ifDue: boolean,
): Promise<Date | null | "taken"> {
  const at = now();
  const isOpen = charge.state === "approved" && (await hasOpenRefund(pool, charge));
  const planned = whenNext(charge, isOpen, at);
  const next = planned ?? new Date(at.getTime() + WITHOUT_ANSWER);
  const before = new Date(at.getTime() - BETWEEN_QUESTIONS);
  const isMine = await claimQuestion(pool, charge.charge_id, { now: at, next, before, ifDue });
  if (!isMine) return "taken";
  return planned === null ? next : null;
}

/** @param isRefunding whether its money is still on its way back */
function whenNext(charge: Charge, isRefunding: boolean, now: Date): Date | null {
  const { state, ended_at, approved_at } = charge;
  if (state === "approved" && charge.dispute === "open") return nextLook(now);
  if (state === "approved")
    return isRefunding ? laterQuestion(approved_at ?? now, now, "held") : null;
  if (ended_at === null) return nextQuestion(charge, now);
  return laterQuestion(ended_at, now, state === "held" ? "held" : "ended");
}
