import type { FastifyInstance } from "fastify";
import { EVENT_KINDS } from "#contract/names.ts";
import {
  CreateWebhook,
  UpdateWebhook,
  Webhook,
  WEBHOOK_SECRET_HEADER,
  WebhookPage,
} from "#contract/webhooks.ts";
import type { ServiceContext } from "../context.ts";
import { pagedList } from "../http/pagination.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import { createWebhook, presentWebhook, updateWebhook } from "./endpoints.ts";
import { countWebhooks, selectWebhooks } from "./store.ts";

export function webhookRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl } = context;

  api.get(
    "/webhooks/",
    withRouteDoc({ summary: "List webhook endpoints", isPaged: true, answer: WebhookPage }),
    pagedList(publicUrl, async (sellerId, paging) => {
      const count = await countWebhooks(pool, sellerId);
      const rows = await selectWebhooks(pool, sellerId, paging);
      return { count, results: rows.map(presentWebhook) };
    }),
  );

  api.post(
    "/webhooks/",
    writeRoute(context, {
      summary: "Register a webhook endpoint",
      description: `One endpoint receives one kind of event: ${EVENT_KINDS.join(", ")}. The signing secret is in the header \`${WEBHOOK_SECRET_HEADER}\` of this answer and is not shown again.`,
      status: 201,
      success: "Registered; its secret is in a header",
      answer: Webhook,
      secretHeader: WEBHOOK_SECRET_HEADER,
      schema: CreateWebhook,
      work: async (writing, input, _request, reply) => {
        const { webhook, secret } = await createWebhook(writing, input);
        reply.header(WEBHOOK_SECRET_HEADER, secret);
        return webhook;
      },
    }),
  );

  api.patch<{ Params: { id: string } }>(
    "/webhooks/:id/",
    writeRoute(context, {
      summary: "Change a webhook endpoint",
      answer: Webhook,
      schema: UpdateWebhook,
      work: (writing, input, { params }) => updateWebhook(writing, params.id, input),
    }),
  );
}
