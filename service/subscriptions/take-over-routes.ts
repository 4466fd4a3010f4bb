import type { FastifyInstance } from "fastify";
import { CreatedSubscription, Message, TakeOverSubscription } from "#contract/subscriptions.ts";
import type { ServiceContext } from "../context.ts";
import { writeRoute } from "../http/write.ts";
import { takeOverSubscription } from "./take-over.ts";
import { withdrawSubscription } from "./withdraw.ts";

/** Subscriptions that ran elsewhere before, and the way back while nobody has paid (ADR 0230). */
export function takeOverRoutes(api: FastifyInstance, context: ServiceContext) {
  api.post(
    "/subscriptions/",
    writeRoute(context, {
      summary: "Take over a subscription",
      description:
        "Creates a subscription that the buyer has paid elsewhere until a day, which becomes its billing date. It is active at once, without a payment, a fee or a bill; its status change has the reason `taken_over`. With a past day the subscription is due at once; with a day whose grace period is over, it is due since yesterday.",
      status: 201,
      success: "Taken over",
      answer: CreatedSubscription,
      schema: TakeOverSubscription,
      work: takeOverSubscription,
    }),
  );

  api.post(
    "/subscriptions/:id/withdraw/",
    writeRoute<{ id: string }, undefined, Message>(context, {
      summary: "Withdraw an unpaid subscription",
      description:
        "Cancels at once a subscription that nobody has paid here: one with an unpaid checkout, or one that was taken over. Its link then says that it has ended. A repeated request gets the same answer.",
      answer: Message,
      refusals: {
        409: "The subscription was paid, a payment is under way, or it has ended; nothing was changed",
      },
      work: (write, _, { params }) => withdrawSubscription(write, params.id),
    }),
  );
}
