import type { FastifyInstance } from "fastify";
import {
  CreateSubscription,
  isSubscriptionStatus,
  SUBSCRIPTION_STATUSES,
  type SubscriptionStatus,
} from "#contract/subscriptions.ts";
import type { ServiceContext } from "../app.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError, validationError } from "../http/errors.ts";
import { paginate, readPaging } from "../http/pagination.ts";
import { createSubscription } from "./create.ts";
import { getSubscription } from "./get.ts";
import { listSubscriptions } from "./list.ts";

export function subscriptionRoutes(api: FastifyInstance, context: ServiceContext) {
  const url = `${context.publicUrl}/api/v1/subscriptions/`;

  api.get<{ Querystring: Record<string, unknown> }>("/subscriptions/", async (request) => {
    const status = readStatus(request.query["status"]);
    const paging = readPaging(request.query);
    const { seller_id } = sellerOf(request);
    const { counters, ...listed } = await listSubscriptions(
      context.pool,
      seller_id,
      status,
      paging,
    );
    return { ...paginate({ url, filter: { status }, ...paging, ...listed }), ...counters };
  });

  api.post("/subscriptions/", async (request, reply) => {
    const input = CreateSubscription.safeParse(request.body);
    if (!input.success) throw validationError(input.error);
    const created = await createSubscription(context, sellerOf(request), input.data);
    return reply.code(201).send(created);
  });

  api.get<{ Params: { id: string } }>("/subscriptions/:id/", async (request) =>
    getSubscription(context.pool, sellerOf(request).seller_id, request.params.id),
  );
}

function readStatus(value: unknown): SubscriptionStatus | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string" && isSubscriptionStatus(value)) return value;
  throw new ApiError(400, { status: [`Use one of ${SUBSCRIPTION_STATUSES.join(", ")}.`] });
}
