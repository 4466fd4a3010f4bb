import { randomUUID } from "node:crypto";
import { transaction, type Database } from "../../db/database.ts";
import { ProviderFault, type BeginAnswer, type HandOver } from "../../providers/provider.ts";
import { openCheckout } from "../open.ts";
import {
  openProvider,
  providerIo,
  type OpenProvider,
  type PaymentContext,
} from "../provider.ts";
import {
  isWithoutCode,
  lockAttempt,
  noteCharge,
  selectAttempt,
  updateAttempt,
  type Attempt,
} from "../store.ts";
import { callProvider, toProviderCharge } from "./call.ts";
import { laterQuestion, nextQuestion } from "./schedule.ts";
import {
  insertCharge,
  lockCharge,
  selectCharges,
  updateCharge,
  wakePayments,
  type Charge,
} from "./store.ts";

/** Milliseconds a provider has to take a new charge, and for which it is left to one process. */
const TIMEOUT = 20_000;
const LEASE = 60_000;
/**
 * The most times that an attempt is handed over to a provider; a form counts each time it is shown.
 */
const MOST_CHARGES = 10;

/** Why an attempt ended before a buyer could pay. */
type NotBegun = "not_taken" | "unreachable";

/**
 * Begins a charge for an attempt when its buyer asks for it, or finds the one that the buyer can
 * still be sent to. The charge is claimed before the provider is called, so that none is lost or
 * begun twice.
 * @returns null if the attempt is over, or if another process is beginning one
 * @throws what the sandbox or the provider threw; a provider's error also ends the attempt
 */
export async function beginCharge(
  payments: PaymentContext,
  attempt: Pick<Attempt, "seller_id" | "attempt_id" | "subscription_id" | "account_id">,
  { language = "en" }: { language?: "en" | "ne" } = {},
): Promise<Charge | null> {
  const by = await openProvider(payments, attempt.account_id);
  if (!by || by.account?.is_active === false) {
    await endUnbegun(payments, attempt, "not_taken");
    return null;
  }
  const claimed = await transaction(payments.pool, (database) =>
    claimCharge(database, payments, attempt, by),
  );
  if (!claimed || claimed.state !== "claimed") return claimed;
  let answer: BeginAnswer;
  try {
    answer = await callBegin(payments, claimed, by, language);
  } catch (error) {
    if (by.adapter.isLocal) throw error;
    const wasSent = !(error instanceof ProviderFault) || error.kind === "unknown";
    await recordFault(payments, claimed, wasSent);
    await endUnbegun(payments, attempt, "unreachable");
    throw error;
  }
  return recordBegun(payments, claimed, answer, by);
}

async function claimCharge(
  database: Database,
  { now }: PaymentContext,
  key: Pick<Attempt, "seller_id" | "attempt_id">,
  { adapter }: OpenProvider,
): Promise<Charge | null> {
  const at = now();
  const attempt = await lockAttempt(database, key);
  if (attempt?.state !== "pending") return null;
  const charges = await selectCharges(database, attempt);
  const usable = charges.findLast((charge) => canBeShown(charge, at));
  if (usable) return usable;
  const begun = charges.findLast(({ state }) => state === "claimed");
  if (begun && adapter.isLocal) return begun;
  if (begun?.leased_until && begun.leased_until > at) return null;
  const leased_until = new Date(at.getTime() + LEASE);
  if (begun && adapter.can.repeatBegin) {
    const again = { ...begun, leased_until };
    await updateCharge(database, again);
    return again;
  }
  // If the answer to the begin was lost, the charge has no reference, and no buyer was sent to the
  // provider's page.
  if (begun && begun.reference === null)
    await updateCharge(database, { ...begun, state: "unseen", next_at: null });
  if (charges.length >= MOST_CHARGES) return charges.at(-1) ?? null;
  const charge_id = randomUUID();
  return insertCharge(database, {
    ...attempt,
    charge_id,
    amount: attempt.amount ?? "",
    currency: attempt.currency ?? "",
    reference: adapter.referenceOf(charge_id),
    begun_at: at,
    leased_until,
    next_at: adapter.isLocal ? null : leased_until,
  });
}

/** A form can be sent once; a page and a code can be opened again until they expire. */
const canBeShown = ({ state, hand_over, shown_at, expires_at }: Charge, now: Date) =>
  state === "open" &&
  hand_over !== null &&
  (expires_at === null || expires_at > now) &&
  (hand_over.kind !== "form" || shown_at === null);

const UNNAMED_BUYER = { name: "", phone: "", email: null };

async function callBegin(
  payments: PaymentContext,
  charge: Charge,
  by: OpenProvider,
  language: "en" | "ne",
): Promise<BeginAnswer> {
  const { pool, now, publicUrl } = payments;
  const { adapter, account } = by;
  const details = async () => {
    if (!account) return { label: "", website: publicUrl, buyer: UNNAMED_BUYER };
    const checkout = await openCheckout(pool, charge.subscription_id, now());
    const { seller, subscription } = checkout;
    const attempt = await selectAttempt(pool, charge.subscription_id, charge.attempt_id);
    return {
      label: `${seller.name}: ${subscription.product_name}`.slice(0, 100),
      website: new URL(subscription.return_url).origin,
      // The buyer's data is left out if no code was entered, because the provider's page would show
      // it to everybody who has the link.
      buyer:
        !attempt || isWithoutCode(attempt)
          ? UNNAMED_BUYER
          : {
              name: subscription.full_name,
              phone: subscription.phone,
              email: subscription.email || null,
            },
    };
  };
  const known = {
    ...(await details()),
    return_url: `${publicUrl}/pay-return/charge/${charge.charge_id}`,
    notice_url: `${publicUrl}/pay-notices/${account?.account_key ?? "sandbox"}`,
    language,
  };
  return callProvider(payments, by, (settings) =>
    adapter.begin(toProviderCharge(charge), known, settings, providerIo(payments, TIMEOUT)),
  );
}

/** Stores the charge that the provider has begun, or ends the attempt that it refused. */
async function recordBegun(
  payments: PaymentContext,
  claimed: Charge,
  answer: BeginAnswer,
  { adapter }: OpenProvider,
): Promise<Charge | null> {
  const { pool, now } = payments;
  if (adapter.isLocal && answer.state === "begun") {
    // The provider's page closes by the seller's clock.
    const { reference, hand_over, expires_at: closes_at } = answer;
    const open = {
      ...claimed,
      state: "open",
      reference,
      hand_over,
      leased_until: null,
    } as const;
    // The order matters: a process that finds the charge open finds its reference at the attempt.
    await noteCharge(pool, claimed, { reference, closes_at });
    await updateCharge(pool, open);
    return open;
  }
  const charge = await transaction(pool, async (database) => {
    const locked = await lockCharge(database, claimed.charge_id);
    // A notice of the provider can be faster than its answer.
    if (!locked || locked.state === "approved") return locked;
    if (answer.state === "refused") {
      const refused = { ...locked, state: "refused", answer: answer.why } as const;
      await updateCharge(database, { ...refused, leased_until: null, next_at: null });
      return null;
    }
    const { reference, hand_over, expires_at } = answer;
    const open: Charge = {
      ...locked,
      state: "open",
      reference,
      hand_over: safeHandOver(hand_over),
      leased_until: null,
      expires_at,
      next_at: nextQuestion(locked, now()),
    };
    await updateCharge(database, open);
    await noteCharge(database, locked, { reference, closes_at: null });
    // A worker with nothing to do has no timer for this charge.
    await wakePayments(database);
    return open;
  });
  if (answer.state === "refused") await endUnbegun(payments, claimed, "not_taken");
  return charge;
}

/**
 * A provider's page has a web address; anything else would run in the buyer's browser. It is
 * returned in normal form, which fits into a header and a policy.
 */
function safeHandOver(handOver: HandOver): HandOver | null {
  if (handOver.kind !== "redirect" && handOver.kind !== "form") return handOver;
  const { protocol, href = "" } =
    URL.parse(handOver.kind === "form" ? handOver.action : handOver.url) ?? {};
  if (protocol !== "https:" && protocol !== "http:") return null;
  return handOver.kind === "form" ? { ...handOver, action: href } : { ...handOver, url: href };
}

/**
 * Records a begin that failed. No buyer sees the charge, but if the request was sent with a reference of
 * our own, the provider may know it, so it is still asked about.
 */
const recordFault = ({ pool, now }: PaymentContext, { charge_id }: Charge, wasSent: boolean) =>
  transaction(pool, async (database) => {
    const charge = await lockCharge(database, charge_id);
    if (charge?.state !== "claimed") return;
    const isWatched = wasSent && charge.reference !== null;
    await updateCharge(database, {
      ...charge,
      state: isWatched ? "left" : "unseen",
      leased_until: null,
      ended_at: now(),
      next_at: isWatched ? laterQuestion(now(), now(), "ended") : null,
    });
  });

/** Ends an attempt whose buyer was not sent to a provider, so nothing can have been paid. */
export const endUnbegun = (
  { pool }: PaymentContext,
  key: Pick<Attempt, "seller_id" | "attempt_id">,
  reason: NotBegun | "left",
) =>
  transaction(pool, async (database) => {
    const attempt = await lockAttempt(database, key);
    const charges = await selectCharges(database, key);
    const isWaiting = charges.some(({ state }) => ["claimed", "open", "held"].includes(state));
    if (attempt?.state === "pending" && !isWaiting)
      await updateAttempt(database, { ...attempt, state: "failed", reason });
  });
