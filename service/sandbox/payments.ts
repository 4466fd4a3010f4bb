import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { CheckoutMethod, PaymentOutcome } from "#contract/names.ts";
import { SimulatedPayment, SimulatePayment, type PAYMENT_RESULTS } from "#contract/sandbox.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import { insertPendingAttempt } from "../checkout/attempt.ts";
import { followUpAttempt } from "../checkout/follow-up.ts";
import { canPayEarly, isPayable, lockCheckout } from "../checkout/open.ts";
import { paymentContext, type PaymentContext } from "../checkout/provider.ts";
import { chooseOutcome } from "../checkout/sandbox-provider.ts";
import { selectAttempt, type Attempt } from "../checkout/store.ts";
import type { ServiceContext } from "../context.ts";
import type { Database } from "../db/database.ts";
import {
  alreadyActiveError,
  detailError,
  notFoundError,
  type ApiError,
} from "../http/errors.ts";
import { writeRoute } from "../http/write.ts";
import { hasActiveDuplicate } from "../subscriptions/catch-up.ts";
import { getSubscription } from "../subscriptions/read.ts";
import { findTransition } from "../subscriptions/transitions.ts";

interface ById {
  id: string;
}

export function paymentRoutes(api: FastifyInstance, context: ServiceContext) {
  api.post<{ Params: ById }>(
    "/subscriptions/:id/pay/",
    writeRoute<ById, SimulatePayment, StartedPayment>(context, {
      summary: "Simulate a payment",
      description:
        "Pays as a buyer would at the checkout, without the code, and ends as `outcome` says: with the same payment and the same events. For a subscription that waits for its first payment, is due, or is active and renewed early.",
      answer: SimulatedPayment,
      refusals: { 400: { text: "Not accepted, or nothing is owed", schema: "Problem" } },
      schema: SimulatePayment,
      work: async ({ database, seller }, { method }, request) => {
        const { id } = request.params;
        // This comes first, because the checkout would also accept another seller's id.
        await getSubscription(database, seller.seller_id, id);
        return beginPayment(database, { subscription_id: id, method, clock: context.now() });
      },
      after: async (begun, { outcome }) => {
        return present(begun, await endPayment(paymentContext(context), begun, outcome));
      },
    }),
  );
}

type Result = (typeof PAYMENT_RESULTS)[number];
const RESULTS: Partial<Record<Attempt["state"], Result>> = {
  paid: "paid",
  failed: "failed",
  returning: "returned",
  returned: "returned",
};

function present(
  { subscription_id, old_status }: StartedPayment,
  { state, reason }: Attempt,
): SimulatedPayment {
  const trigger =
    state === "paid"
      ? "payment_succeeded"
      : // If the buyer left, only the attempt has failed; the subscription stays as it is.
        state === "failed" && reason !== "left" && "payment_failed";
  const move = trigger && findTransition(old_status, trigger, { isOneTime: false });
  const changed = move && move.outcome === "changed" ? move : { to: old_status, events: [] };
  return {
    subscription_id,
    result: RESULTS[state] ?? "pending",
    reason,
    old_status,
    new_status: changed.to,
    events: [...changed.events],
  };
}

type Id = Pick<Attempt, "subscription_id" | "attempt_id">;

interface StartedPayment extends Id {
  old_status: SubscriptionStatus;
}

async function beginPayment(
  database: Database,
  {
    subscription_id,
    method,
    clock,
  }: { subscription_id: string; method: CheckoutMethod; clock: Date },
): Promise<StartedPayment | ApiError> {
  const checkout = await lockCheckout(database, subscription_id, clock);
  const { seller, subscription, now } = checkout;
  if (!isPayable(subscription) && !canPayEarly(subscription))
    return detailError(400, "This subscription takes no payment in its current status.");
  if (await hasActiveDuplicate(database, seller, subscription, now))
    return alreadyActiveError();
  const attempt_id = randomUUID();
  await insertPendingAttempt(database, checkout, {
    attempt_id,
    method,
    account_id: null,
    moment: clock,
  });
  return { subscription_id, attempt_id, old_status: subscription.status };
}

/** Ends a payment as a buyer on the sandbox provider's page would; can be repeated. */
async function endPayment(
  payments: PaymentContext,
  id: Id,
  outcome: PaymentOutcome,
): Promise<Attempt> {
  await followUpAttempt(payments, id);
  const reference = (await read(payments, id)).provider_reference ?? "";
  await chooseOutcome(payments.pool, { reference, choice: outcome }, payments.now());
  // The sandbox answers the first inquiry "pending" (ADR 0060).
  for (let asked = 0; asked < 2; asked += 1) await followUpAttempt(payments, id);
  return read(payments, id);
}

async function read(
  { pool }: PaymentContext,
  { subscription_id, attempt_id }: Id,
): Promise<Attempt> {
  const attempt = await selectAttempt(pool, subscription_id, attempt_id);
  // The account was reset in the meantime.
  if (!attempt) throw notFoundError();
  return attempt;
}
