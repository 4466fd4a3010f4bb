import type { FastifyInstance, FastifyRequest } from "fastify";
import {
  SimulatePayment,
  type PAYMENT_RESULTS,
  type SimulatedPayment,
} from "#contract/sandbox.ts";
import type { ServiceContext } from "../app.ts";
import { simulatePayment, type Simulated } from "../checkout/simulate.ts";
import type { Attempt } from "../checkout/store.ts";
import { openTill } from "../checkout/till.ts";
import { sellerOf } from "../http/authenticate.ts";
import { alreadyActive, detail, notFound, validationError } from "../http/errors.ts";
import { getSubscription } from "../subscriptions/get.ts";
import { transition } from "../subscriptions/transitions.ts";

type ById = FastifyRequest<{ Params: { id: string } }>;
type Ended = Extract<Simulated, { attempt: Attempt }>;

/** A payment without a buyer: for trying out what follows from one. */
export function paymentRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool } = context;
  api.post("/subscriptions/:id/pay/", async (request: ById): Promise<SimulatedPayment> => {
    const { seller_id } = sellerOf(request);
    const { id } = request.params;
    const input = SimulatePayment.safeParse(request.body);
    if (!input.success) throw validationError(input.error);
    const till = openTill(context);
    if (!till) throw notFound();
    // The link of another seller's subscription would lead to it as well.
    await getSubscription(pool, seller_id, id);
    const ended = await simulatePayment(till, id, input.data);
    if ("problem" in ended) throw refusal(ended.problem);
    const { subscription_id, status } = await getSubscription(pool, seller_id, id);
    return present(ended, { subscription_id, status });
  });
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

const present = (
  { attempt, old_status }: Ended,
  { subscription_id, status }: { subscription_id: string; status: string },
): SimulatedPayment => ({
  subscription_id,
  result: RESULTS[attempt.state] ?? "pending",
  reason: attempt.reason,
  old_status,
  new_status: status,
  events: eventsOf({ attempt, old_status }),
});

/** As the table of transitions has them; who leaves without an answer has not failed yet. */
function eventsOf({ attempt: { state, reason }, old_status }: Ended): string[] {
  if (state !== "paid" && (state !== "failed" || reason === "left")) return [];
  const trigger = state === "paid" ? "payment_succeeded" : "payment_failed";
  const move = transition(old_status, trigger, { isOneTime: false });
  return move.outcome === "changed" ? [...move.events] : [];
}
