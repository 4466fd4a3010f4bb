import type { FastifyInstance } from "fastify";
import type * as z from "zod";
import {
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  NoticeList,
  RecoverDeliveries,
  RecoveredDeliveries,
  SendExample,
  SentExample,
} from "#contract/deliveries.ts";
import { Message } from "#contract/subscriptions.ts";
import { RotateSecret, WEBHOOK_SECRET_HEADER } from "#contract/webhooks.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { requireRecordId } from "../http/ids.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { nextPageUrl } from "../http/pagination.ts";
import { filteredRoute } from "../http/read.ts";
import { writeRoute } from "../http/write.ts";
import { rotateSecret } from "../webhooks/endpoints.ts";
import { sendExample } from "./example.ts";
import { getDelivery, listDeliveries, noSuchDelivery, presentNotice } from "./read.ts";
import { recoverDeliveries, resendDelivery } from "./resend.ts";
import { selectNotices } from "./store.ts";

const NOTICES = 100;
const HOUR = 60 * 60 * 1_000;

interface Id {
  Params: { id: string };
}

/** Routes of the account API; their first addresses, in the sandbox, still work. */
export function deliveryRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, now } = context;

  api.get(
    "/deliveries/",
    filteredRoute({
      summary: "List deliveries",
      description: "Newest first; `next` is the URL of the next page.",
      filters: DeliveryQuery,
      meanings: {
        state: "Only deliveries in this state",
        skipped: "Whether to include deliveries that were never sent",
        event: "Only deliveries of this event",
        webhook_id: "Only deliveries to this webhook endpoint",
        subscription_id: "Only deliveries about this subscription",
        created_from: "Created at or after this time",
        created_to: "Created at or before this time",
        before: "Only deliveries older than the one with this number",
        page_size: "Rows per page",
      },
      answer: DeliveryPage,
      read: async (query, request) => {
        const { next, results } = await listDeliveries(
          pool,
          sellerOf(request).seller_id,
          filterOf(query),
          { before: query.before ?? null, limit: query.page_size },
        );
        return {
          next:
            next === null ? null : nextPageUrl(publicUrl, request, { before: String(next) }),
          results,
        };
      },
    }),
  );

  api.get<Id>(
    "/deliveries/:id/",
    withRouteDoc({
      summary: "Get a delivery",
      description:
        "With its body and every attempt: request, response and timing. Finished deliveries are deleted after a while.",
      answer: Delivery,
    }),
    (request) =>
      getDelivery(
        pool,
        sellerOf(request).seller_id,
        requireRecordId(request.params.id, noSuchDelivery),
      ),
  );

  api.post<Id>(
    "/deliveries/:id/resend/",
    writeRoute(context, {
      summary: "Resend a delivery",
      answer: Message,
      work: async (writing, _, { params }) => {
        await resendDelivery(writing, requireRecordId(params.id, noSuchDelivery));
        return { message: "The delivery will be resent." };
      },
    }),
  );

  api.post(
    "/deliveries/recover/",
    writeRoute(context, {
      summary: "Resend missed events",
      description:
        "Resends, in order, the oldest 10,000 failed and skipped deliveries of a webhook endpoint since a time. Call it again until `left` is 0.",
      answer: RecoveredDeliveries,
      refusals: { 404: "There is no such webhook endpoint" },
      schema: RecoverDeliveries,
      work: (writing, { webhook_id, since }) =>
        recoverDeliveries(writing, { webhookId: webhook_id, since: new Date(since) }),
    }),
  );

  api.post<Id>(
    "/webhooks/:id/example/",
    writeRoute(context, {
      summary: "Send an example event",
      status: 201,
      success: "Queued",
      answer: SentExample,
      schema: SendExample,
      work: async (writing, { event }, { params }) => ({
        delivery_id: await sendExample(writing, {
          webhookId: requireRecordId(params.id),
          event,
        }),
      }),
    }),
  );

  api.get(
    "/webhooks/notices/",
    withRouteDoc({
      summary: "List endpoints that were switched off",
      description:
        "The newest hundred, with the reason: the endpoint answered 410, or every attempt failed for five days.",
      answer: NoticeList,
    }),
    async (request) => {
      const rows = await selectNotices(pool, sellerOf(request).seller_id, NOTICES);
      return { results: rows.map(presentNotice) };
    },
  );

  api.post<Id>(
    "/webhooks/:id/rotate-secret/",
    writeRoute(context, {
      summary: "Rotate a signing secret",
      description:
        "The new secret is in a header of this answer. The old one also signs for the hours given, a day if the body is left out.",
      success: "Rotated",
      answer: Message,
      secretHeader: WEBHOOK_SECRET_HEADER,
      schema: RotateSecret,
      work: async (writing, { overlap_hours: hours }, { params }, reply) => {
        const id = requireRecordId(params.id);
        const secret = await rotateSecret(writing, id, { now: now(), overlap: hours * HOUR });
        reply.header(WEBHOOK_SECRET_HEADER, secret);
        const old = hours === 0 ? "has ended" : `stays valid for ${hours} hours`;
        return {
          message: `The old secret ${old}. The new one is shown only in this answer.`,
        };
      },
    }),
  );
}

const filterOf = ({ created_from, created_to, ...filter }: z.infer<typeof DeliveryQuery>) => ({
  ...filter,
  created_from: created_from === undefined ? undefined : new Date(created_from),
  created_to: created_to === undefined ? undefined : new Date(created_to),
});
