import type { FastifyInstance } from "fastify";
import type * as z from "zod";
import { DeliveryQuery, RecoverDeliveries, SendExample } from "#contract/deliveries.ts";
import { WEBHOOK_SECRET_HEADER } from "#contract/webhooks.ts";
import type { ServiceContext } from "../context.ts";
import { sendExample } from "../deliveries/example.ts";
import { getDelivery, noSuchDelivery } from "../deliveries/get.ts";
import { listDeliveries } from "../deliveries/list.ts";
import { presentNotice } from "../deliveries/present.ts";
import { recoverDeliveries } from "../deliveries/recover.ts";
import { resendDelivery } from "../deliveries/resend.ts";
import { selectNotices } from "../deliveries/store.ts";
import { sellerOf } from "../http/authenticate.ts";
import { notFound, validationError } from "../http/errors.ts";
import { readRecordId } from "../http/record-id.ts";
import { write } from "../http/write.ts";
import { rotateSecret } from "../webhooks/rotate-secret.ts";

const NOTICES = 100;

interface Id {
  Params: { id: string };
}

export function deliveryRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, now } = context;

  api.get<{ Querystring: Record<string, string> }>("/deliveries/", async (request) => {
    const query = DeliveryQuery.safeParse(request.query);
    if (!query.success) throw validationError(query.error);
    const { next, results } = await listDeliveries(
      pool,
      sellerOf(request).seller_id,
      filterOf(query.data),
      { before: query.data.before ?? null, limit: query.data.page_size },
    );
    const following = new URLSearchParams({ ...request.query, before: String(next) });
    const url = `${publicUrl}/sandbox/deliveries/?${following.toString()}`;
    return { next: next === null ? null : url, results };
  });

  api.get<Id>("/deliveries/:id/", (request) =>
    getDelivery(pool, sellerOf(request).seller_id, requireId(request.params, noSuchDelivery)),
  );

  api.post<Id>(
    "/deliveries/:id/resend/",
    write(context, {
      status: 200,
      work: async (writing, _, { params }) => {
        await resendDelivery(writing, requireId(params, noSuchDelivery));
        return { message: "The delivery is sent once more." };
      },
    }),
  );

  api.post(
    "/deliveries/recover/",
    write(context, {
      status: 200,
      schema: RecoverDeliveries,
      work: async (writing, { webhook_id, since }) => ({
        recovered: await recoverDeliveries(writing, {
          webhookId: webhook_id,
          since: new Date(since),
        }),
      }),
    }),
  );

  api.post<Id>(
    "/webhooks/:id/example/",
    write(context, {
      status: 201,
      schema: SendExample,
      work: async (writing, { event }, { params }) => ({
        delivery_id: await sendExample(writing, { webhookId: requireId(params), event }),
      }),
    }),
  );

  api.get("/webhooks/notices/", async (request) => {
    const rows = await selectNotices(pool, sellerOf(request).seller_id, NOTICES);
    return { results: rows.map(presentNotice) };
  });

  api.post<Id>(
    "/webhooks/:id/rotate-secret/",
    write(context, {
      status: 200,
      work: async (writing, _, { params }, reply) => {
        const secret = await rotateSecret(writing, requireId(params), now());
        reply.header(WEBHOOK_SECRET_HEADER, secret);
        return {
          message: "The old secret signs too for a day. This answer shows the new one once.",
        };
      },
    }),
  );
}

function requireId({ id }: Id["Params"], missing = notFound): number {
  const number = readRecordId(id);
  if (number === null) throw missing();
  return number;
}

const filterOf = ({ created_from, created_to, ...filter }: z.infer<typeof DeliveryQuery>) => ({
  ...filter,
  created_from: created_from === undefined ? undefined : new Date(created_from),
  created_to: created_to === undefined ? undefined : new Date(created_to),
});
