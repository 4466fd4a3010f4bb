import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import {
  CreatedSubscription,
  CreateSubscription,
  isSubscriptionStatus,
  Message,
  RescheduleSubscription,
  Subscription,
  SubscriptionPage,
  type SubscriptionStatus,
} from "#contract/subscriptions.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError, detailError } from "../http/errors.ts";
import { paginate, readPaging } from "../http/pagination.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import { payability } from "../sellers/payable.ts";
import { cancelSubscription } from "./cancel.ts";
import { createSubscription } from "./create.ts";
import { getSubscription, listSubscriptions } from "./read.ts";
import { rescheduleSubscription } from "./reschedule.ts";
import { resumeSubscription } from "./resume.ts";

interface Id {
  Params: { id: string };
}

export function subscriptionRoutes(api: FastifyInstance, context: ServiceContext) {
  const url = `${context.publicUrl}/api/v1/subscriptions/`;

  api.get<{ Querystring: Record<string, unknown> }>(
    "/subscriptions/",
    withRouteDoc({
      summary: "List subscriptions",
      description:
        "Newest first. The counters count recurring subscriptions of the whole account, whatever the filter.",
      isPaged: true,
      query: {
        schemas: { status: z.enum(SUBSCRIPTION_STATUSES) },
        meanings: { status: "Only subscriptions in this status" },
      },
      answer: SubscriptionPage,
      refusals: { 400: { text: "Unknown status", schema: "FieldErrors" } },
    }),
    async (request) => {
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
    },
  );

  api.get<Id>(
    "/subscriptions/:id/",
    withRouteDoc({ summary: "Get a subscription", answer: Subscription }),
    async (request) =>
      getSubscription(context.pool, sellerOf(request).seller_id, request.params.id),
  );

  api.post(
    "/subscriptions/",
    writeRoute(context, {
      summary: "Create a subscription",
      description:
        "Returns the checkout URL for the buyer. An unpaid subscription of the same buyer and plan is reused.",
      status: 201,
      success: "Created or reused",
      answer: CreatedSubscription,
      schema: CreateSubscription,
      refusals: { 400: { text: "Not accepted, or nobody could pay", schema: "Problem" } },
      work: async (write, input) => {
        const { database, seller, mode } = write;
        const { reason } = await payability(database, seller.seller_id, mode);
        if (reason !== null) throw detailError(400, reason);
        return createSubscription(write, input);
      },
    }),
  );

  api.post(
    "/subscriptions/update-billing-cycle/",
    writeRoute(context, {
      summary: "Move the billing date",
      answer: Message,
      schema: RescheduleSubscription,
      work: rescheduleSubscription,
    }),
  );

  api.post<Id>(
    "/subscriptions/:id/cancel/",
    writeRoute(context, {
      summary: "Cancel at the end of the period",
      answer: Message,
      work: (writing, _, { params }) => cancelSubscription(writing, params.id),
    }),
  );

  api.post<Id>(
    "/subscriptions/:id/resume/",
    writeRoute(context, {
      summary: "Undo a scheduled cancellation",
      answer: Message,
      work: (writing, _, { params }) => resumeSubscription(writing, params.id),
    }),
  );
}

function readStatus(value: unknown): SubscriptionStatus | undefined {
  if (value === undefined || value === "") return undefined;
  if (typeof value === "string" && isSubscriptionStatus(value)) return value;
  throw new ApiError(400, { status: [`Use one of ${SUBSCRIPTION_STATUSES.join(", ")}.`] });
}
