import { transaction } from "../../db/database.ts";
import { ProviderFault, type RefundAnswer } from "../../providers/provider.ts";
import { completeRefund, recordFailedRefund } from "../../refunds/complete.ts";
import {
  claimRefund,
  keyOf,
  lockRefund,
  selectRefund,
  selectRefundOf,
  selectSellerTime,
  updateNextRefund,
  updateRefund,
  type ClaimedRefund,
  type RefundKey,
  type RefundRow,
} from "../../refunds/store.ts";
import {
  openProvider,
  providerIo,
  type OpenProvider,
  type PaymentContext,
} from "../provider.ts";
import { selectAccount } from "../account-store.ts";
import { callProvider, toProviderCharge } from "./call.ts";
import { laterQuestion, nextRefund, nextRefundCheck } from "./schedule.ts";
import {
  lockCharge,
  selectCharge,
  tookOtherCurrency,
  updateCharge,
  type Charge,
} from "./store.ts";

/** Milliseconds a provider has to take a refund. */
const TIMEOUT = 20_000;

/** Gives a charge back that was not owed; see `sendRefund`. */
export async function sendRefundOf(
  payments: PaymentContext,
  charge: Pick<Charge, "seller_id" | "charge_id">,
): Promise<void> {
  const refund = await selectRefundOf(payments.pool, charge);
  if (refund) await sendRefund(payments, refund);
}

/**
 * Has the provider give money back, or asks what became of an earlier request. The refund is stored
 * as sent before the provider is called, each repetition has the same key, and a refund on which
 * another process works is left alone. A refund that can be neither asked about nor repeated is
 * left to a person.
 * @throws what the provider threw; it is tried again later
 */
export async function sendRefund(payments: PaymentContext, key: RefundKey): Promise<void> {
  const { pool, now } = payments;
  const known = await selectRefund(pool, key);
  const charge = known?.charge_id ? await selectCharge(pool, known.charge_id) : null;
  if (!known || !charge) return;
  const by = await openProvider(payments, charge.account_id);
  if (!by && !(await isRemoved(payments, charge))) return;
  const refund = await claimRefund(pool, key, {
    ifDue: by?.adapter.isLocal ? null : now(),
    next: by?.adapter.isLocal ? null : await nextCall(payments, known),
  });
  if (!refund) return;
  const answer = by ? await ask(payments, { charge, refund, by }) : LOST_ACCOUNT;
  const isWatched = by?.adapter.inquireRefund !== undefined;
  await recordAnswer(payments, refund, { answer, isWatched });
}

const LOST_ACCOUNT: RefundAnswer = { state: "by_hand", where: null };

/** When the provider is called again about a refund, unless its answer says otherwise. */
async function nextCall(
  { pool, now }: PaymentContext,
  { state, seller_id, tries, ended_at }: RefundRow,
): Promise<Date | null> {
  if (state !== "done" || ended_at === null) return nextRefund(tries, now());
  return nextRefundCheck(ended_at, await selectSellerTime(pool, seller_id, now()), now());
}

async function isRemoved({ pool }: PaymentContext, { account_id }: Charge): Promise<boolean> {
  const account = account_id === null ? null : await selectAccount(pool, account_id);
  return account?.sealed_settings === null;
}

interface Sent {
  charge: Charge;
  refund: ClaimedRefund;
  by: OpenProvider;
}

async function ask(
  payments: PaymentContext,
  { charge, refund, by }: Sent,
): Promise<RefundAnswer> {
  const { adapter } = by;
  const { amount, provider_refund_id, was } = refund;
  const io = providerIo(payments, TIMEOUT);
  const known = toProviderCharge(charge);
  const made = was === "under_way" || was === "done" ? provider_refund_id : null;
  const cannotAsk = made === null || !adapter.inquireRefund;
  const isStuck = was === "sent" ? !mayRepeat(by, charge, refund) : was === "done" && cannotAsk;
  // A refund's amount is in the charge's currency; the provider would read it in the currency
  // that it took.
  if (isStuck || tookOtherCurrency(charge))
    return { state: "by_hand", where: adapter.portalOf(by.settings) };
  try {
    return await callProvider(payments, by, (settings) =>
      made !== null && adapter.inquireRefund
        ? adapter.inquireRefund(known, made, settings, io)
        : adapter.refund(
            known,
            { amount, key: keyOf(refund), refund_id: provider_refund_id },
            settings,
            io,
          ),
    );
  } catch (error) {
    const wasMade = !(error instanceof ProviderFault) || !UNMADE.includes(error.kind);
    if (was === "owed" && !wasMade)
      await transaction(payments.pool, async (database) => {
        const locked = await lockRefund(database, refund);
        if (locked?.state === "sent") await updateRefund(database, refund, { state: "owed" });
      });
    throw error;
  }
}

/** Faults after which the provider cannot have made the refund. */
const UNMADE: readonly ProviderFault["kind"][] = ["not_reached", "credentials"];

const mayRepeat = ({ adapter }: OpenProvider, charge: Charge, refund: ClaimedRefund) =>
  adapter.can.repeatRefund === "always" ||
  (adapter.can.repeatRefund === "whole" && refund.amount === charge.amount);

const recordAnswer = (
  { pool, now }: PaymentContext,
  claimed: ClaimedRefund,
  { answer, isWatched }: { answer: RefundAnswer; isWatched: boolean },
) =>
  transaction(pool, async (database) => {
    const { charge_id, was } = claimed;
    const charge = charge_id === null ? null : await lockCharge(database, charge_id);
    const refund = await lockRefund(database, claimed);
    if (was === "done") {
      if (refund?.state !== "done" || answer.state !== "refused") return;
      const at = await selectSellerTime(database, refund.seller_id, now());
      await recordFailedRefund(database, refund, { refusal: answer.text, at });
      return;
    }
    // Another call has learnt how the refund ended, or a person has taken it over.
    if (!charge || !refund || !["sent", "under_way"].includes(refund.state)) return;
    const next_at = nextRefund(refund.tries, now());
    switch (answer.state) {
      case "done": {
        const at = await selectSellerTime(database, refund.seller_id, now());
        const { refund_id: provider_refund_id } = answer;
        await completeRefund(database, refund, { at, provider_refund_id });
        // The refund can still fail.
        if (isWatched && provider_refund_id !== null)
          await updateNextRefund(database, refund, nextRefundCheck(at, at, now()));
        return;
      }
      case "under_way":
        await updateRefund(database, refund, {
          state: "under_way",
          provider_refund_id: answer.refund_id,
          refusal: null,
          next_at,
        });
        return;
      case "by_hand":
        await updateRefund(database, refund, {
          state: "by_hand",
          place: answer.where,
          is_uncertain: was !== "owed" || answer.isUncertain === true,
          next_at: null,
        });
        break;
      case "refused":
        await updateRefund(database, refund, {
          state: answer.again ? "owed" : "refused",
          refusal: answer.text,
          refusals: refund.refusals + 1,
          provider_refund_id: null,
          next_at: answer.again ? next_at : null,
        });
        if (answer.again) return;
    }
    // The provider's answer about the charge will include the refund that a person made there.
    await updateCharge(database, {
      ...charge,
      next_at: charge.next_at ?? laterQuestion(charge.approved_at ?? now(), now(), "held"),
    });
  });
