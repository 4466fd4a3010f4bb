import type { FastifyInstance } from "fastify";
import { EVENT_KINDS } from "#contract/events.ts";
import {
  CreateWebhook,
  UpdateWebhook,
  Webhook,
  WEBHOOK_SECRET_HEADER,
  WebhookPage,
} from "#contract/webhooks.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { paginate, readPaging } from "../http/pagination.ts";
import { documented } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import { createWebhook } from "./create.ts";
import { listWebhooks } from "./list.ts";
import { updateWebhook } from "./update.ts";

export function webhookRoutes(api: FastifyInstance, context: ServiceContext) {
  const url = `${context.publicUrl}/api/v1/webhooks/`;

  api.get<{ Querystring: Record<string, unknown> }>(
    "/webhooks/",
    documented({ summary: "List webhook endpoints", isPaged: true, answer: WebhookPage }),
    async (request) => {
      const { query } = request;
      const paging = readPaging(query);
      const listed = await listWebhooks(context.pool, sellerOf(request).seller_id, paging);
      return paginate({ url, query, ...paging, ...listed });
    },
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
