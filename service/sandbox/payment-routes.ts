import type { FastifyInstance } from "fastify";
import type * as z from "zod";
import {
  SimulatePayment,
  type PAYMENT_RESULTS,
  type SimulatedPayment,
} from "#contract/sandbox.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { ServiceContext } from "../context.ts";
import { beginPayment, endPayment, type Begun } from "../checkout/simulate.ts";
import type { Attempt } from "../checkout/store.ts";
import { paymentContext } from "../checkout/payment-context.ts";
import { alreadyActive, detail, notFound } from "../http/errors.ts";
import { write } from "../http/write.ts";
import { getSubscription } from "../subscriptions/get.ts";
import { transition, type Transition } from "../subscriptions/transitions.ts";

interface ById {
  id: string;
}
type Payment = z.output<typeof SimulatePayment>;

/** A payment without a buyer: for trying out what follows from one. */
export function paymentRoutes(api: FastifyInstance, context: ServiceContext) {
  api.post<{ Params: ById }>(
    "/subscriptions/:id/pay/",
    write<ById, Payment, Begun>(context, {
      status: 200,
      schema: SimulatePayment,
      work: async ({ database, seller }, { method }, request) => {
        const { id } = request.params;
        // The link of another seller's subscription would lead to it as well.
        await getSubscription(database, seller.seller_id, id);
        const asked = { subscription_id: id, method, clock: context.now() };
        const begun = await beginPayment(database, asked);
        return typeof begun === "string" ? refusal(begun) : begun;
      },
      after: async (begun, { outcome }) => {
        const payments = paymentContext(context);
        if (!payments) throw notFound();
        return present(begun, await endPayment(payments, begun, outcome));
      },
    }),
  );
}

const refusal = (problem: "settled" | "duplicate") =>
  problem === "duplicate"
    ? alreadyActive()
    : detail(400, "Nothing can be paid for this subscription as it stands.");

type Result = (typeof PAYMENT_RESULTS)[number];
const RESULTS: Partial<Record<Attempt["state"], Result>> = {
  paid: "paid",
  failed: "failed",
  returning: "returned",
  returned: "returned",
};

function present(
  { subscription_id, old_status }: Begun,
  { state, reason }: Attempt,
): SimulatedPayment {
  const move = moveOf(old_status, { state, reason });
  return {
    subscription_id,
    result: RESULTS[state] ?? "pending",
    reason,
    old_status,
    new_status: move.outcome === "changed" ? move.to : old_status,
    events: move.outcome === "changed" ? [...move.events] : [],
  };
}

/** As the table of transitions has it; who leaves without an answer has not failed yet. */
function moveOf(
  old_status: SubscriptionStatus,
  { state, reason }: Pick<Attempt, "state" | "reason">,
): Transition {
  if (state !== "paid" && (state !== "failed" || reason === "left"))
    return { outcome: "unchanged" };
  const trigger = state === "paid" ? "payment_succeeded" : "payment_failed";
  return transition(old_status, trigger, { isOneTime: false });
}
