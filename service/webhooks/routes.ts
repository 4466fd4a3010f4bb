import type { FastifyInstance } from "fastify";
import { CreateWebhook, UpdateWebhook, WEBHOOK_SECRET_HEADER } from "#contract/webhooks.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { paginate, readPaging } from "../http/pagination.ts";
import { write } from "../http/write.ts";
import { createWebhook } from "./create.ts";
import { listWebhooks } from "./list.ts";
import { updateWebhook } from "./update.ts";

export function webhookRoutes(api: FastifyInstance, context: ServiceContext) {
  const url = `${context.publicUrl}/api/v1/webhooks/`;

  api.get<{ Querystring: Record<string, unknown> }>("/webhooks/", async (request) => {
    const { query } = request;
    const paging = readPaging(query);
    const listed = await listWebhooks(context.pool, sellerOf(request).seller_id, paging);
    return paginate({ url, query, ...paging, ...listed });
  });

  api.post(
    "/webhooks/",
    write(context, {
      status: 201,
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
    write(context, {
      status: 200,
      schema: UpdateWebhook,
      work: (writing, input, { params }) => updateWebhook(writing, params.id, input),
    }),
  );
}
