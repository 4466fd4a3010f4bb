import type { FastifyInstance } from "fastify";
import { SUBSCRIPTION_STATUSES } from "#contract/subscription-statuses.ts";
import {
  CreateSubscription,
  isSubscriptionStatus,
  RescheduleSubscription,
  type SubscriptionStatus,
} from "#contract/subscriptions.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError } from "../http/errors.ts";
import { paginate, readPaging } from "../http/pagination.ts";
import { write } from "../http/write.ts";
import { cancelSubscription } from "./cancel.ts";
import { createSubscription } from "./create.ts";
import { getSubscription } from "./get.ts";
import { listSubscriptions } from "./list.ts";
import { rescheduleSubscription } from "./reschedule.ts";
import { resumeSubscription } from "./resume.ts";

interface Id {
  Params: { id: string };
}

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
    return { ...paginate({ url, query: request.query, ...paging, ...listed }), ...counters };
  });

  api.get<Id>("/subscriptions/:id/", async (request) =>
    getSubscription(context.pool, sellerOf(request).seller_id, request.params.id),
  );

  api.post(
    "/subscriptions/",
    write(context, { status: 201, schema: CreateSubscription, work: createSubscription }),
  );

  api.post(
    "/subscriptions/update-billing-cycle/",
    write(context, {
      status: 200,
      schema: RescheduleSubscription,
      work: rescheduleSubscription,
    }),
  );

  api.post<Id>(
    "/subscriptions/:id/cancel/",
    write(context, {
      status: 200,
      work: (writing, _, { params }) => cancelSubscription(writing, params.id),
    }),
  );

  api.post<Id>(
    "/subscriptions/:id/resume/",
    write(context, {
      status: 200,
      work: (writing, _, { params }) => resumeSubscription(writing, params.id),
    }),
  );
}

function readStatus(value: unknown): SubscriptionStatus | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string" && isSubscriptionStatus(value)) return value;
  throw new ApiError(400, { status: [`Use one of ${SUBSCRIPTION_STATUSES.join(", ")}.`] });
}
