import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";
import { notFoundError } from "../../http/errors.ts";
import { isUuid } from "../../http/ids.ts";
import { withRouteDoc } from "../../http/route-doc.ts";
import type { PaymentContext } from "../provider.ts";
import { readerOf } from "../reader.ts";
import { startAgain } from "./start.ts";

const Again = z.object({ pbp_id: z.string().min(1).max(100) });

/** The form with which the buyer of an ended subscription starts it again. */
export function againRoutes(app: FastifyInstance, payments: PaymentContext) {
  app.post(
    "/pay/:id/again",
    withRouteDoc({
      summary: "Start an ended subscription again",
      description:
        "Creates a subscription of a billing period that is on sale, or leads to the buyer's unpaid one.",
      status: 303,
      success: "To the new subscription's page, or back with the reason why not",
      form: { schema: Again, example: { pbp_id: "pbp_monthly_litre" } },
    }),
    async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
      const { id } = request.params;
      if (!isUuid(id)) throw notFoundError();
      const input = Again.safeParse(request.body);
      const started = input.success
        ? await startAgain(payments, id, input.data.pbp_id)
        : { problem: "refused" };
      const address =
        "problem" in started ? `${id}?outcome=${started.problem}` : started.subscription_id;
      return reply.redirect(readerOf(request).own(`/pay/${address}`), 303);
    },
  );
}
