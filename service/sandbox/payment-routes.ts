import type { FastifyInstance } from "fastify";
import type * as z from "zod";
import { SimulatedPayment, SimulatePayment, type PAYMENT_RESULTS } from "#contract/sandbox.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { ServiceContext } from "../context.ts";
import { beginPayment, endPayment, type StartedPayment } from "../checkout/simulate.ts";
import type { Attempt } from "../checkout/store.ts";
import { paymentContext } from "../checkout/payment-context.ts";
import { alreadyActive, detail, notFound } from "../http/errors.ts";
import { writeRoute } from "../http/write.ts";
import { getSubscription } from "../subscriptions/get.ts";
import { transition, type Transition } from "../subscriptions/transitions.ts";

interface ById {
  id: string;
}
type Payment = z.output<typeof SimulatePayment>;

export function paymentRoutes(api: FastifyInstance, context: ServiceContext) {
  api.post<{ Params: ById }>(
    "/subscriptions/:id/pay/",
    writeRoute<ById, Payment, StartedPayment>(context, {
      summary: "Simulate a payment",
      description:
        "Pays as a buyer would at the checkout, without the code, and ends as `outcome` says: with the same payment and the same events. For a subscription that waits for its first payment, is due, or is active and renewed early.",
      answer: SimulatedPayment,
      refusals: { 400: { text: "Not accepted, or nothing is owed", schema: "Problem" } },
      schema: SimulatePayment,
      work: async ({ database, seller }, { method }, request) => {
        const { id } = request.params;
        // Checked first, because the checkout would also accept another seller's id.
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
    : detail(400, "This subscription takes no payment in its current status.");

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

/** The transition that the payment caused; an abandoned payment has not failed yet. */
function moveOf(
  old_status: SubscriptionStatus,
  { state, reason }: Pick<Attempt, "state" | "reason">,
): Transition {
  if (state !== "paid" && (state !== "failed" || reason === "left"))
    return { outcome: "unchanged" };
  const trigger = state === "paid" ? "payment_succeeded" : "payment_failed";
  return transition(old_status, trigger, { isOneTime: false });
}
