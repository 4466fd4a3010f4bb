import type { FastifyInstance } from "fastify";
import {
  AnswerBuyerRequest,
  BuyerRequest,
  BuyerRequestPage,
} from "#contract/buyer-requests.ts";
import { PaymentTaskQuery } from "#contract/recorded-payments.ts";
import type { ServiceContext } from "../context.ts";
import type { Database } from "../db/database.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError, detailError, notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import { pageBefore } from "../http/pagination.ts";
import { filteredRoute } from "../http/read.ts";
import { writeRoute } from "../http/write.ts";
import { cancelSubscription } from "../subscriptions/cancel.ts";
import { lockCurrentSubscription } from "../subscriptions/catch-up.ts";
import { rescheduleSubscription } from "../subscriptions/reschedule.ts";
import { countOpenRequests, endRequest, lockRequest, selectRequests } from "./request-store.ts";

/** Requests that buyers make on their page and the seller answers (ADR 0060). */
export function buyerRequestRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl } = context;
  const read = async (database: Database, sellerId: number, id: string) => {
    const [request] = await selectRequests(database, sellerId, { id }, 1);
    if (!request) throw notFoundError();
    return request;
  };

  api.get(
    "/buyer-requests/",
    filteredRoute({
      summary: "List buyers' requests",
      description:
        "Buyers ask on their page for a pause or an end. Newest first; `next` is the URL of the next page.",
      filters: PaymentTaskQuery,
      meanings: {
        is_open: "Only open requests, or only answered and withdrawn ones",
        subscription_id: "Only requests about this subscription",
        before: "Only requests before the one with this id",
        page_size: "Rows per page",
      },
      answer: BuyerRequestPage,
      read: async ({ page_size: size, is_open, ...rest }, request) => {
        const { seller_id } = sellerOf(request);
        const query = {
          ...rest,
          is_open: is_open === undefined ? undefined : is_open === "true",
        };
        const rows = await selectRequests(pool, seller_id, query, size + 1);
        const page = pageBefore(rows, { publicUrl, request, size, idOf: ({ id }) => id });
        return { open: await countOpenRequests(pool, seller_id), ...page };
      },
    }),
  );

  api.post(
    "/buyer-requests/:id/answer/",
    writeRoute<{ id: string }, AnswerBuyerRequest, BuyerRequest>(context, {
      summary: "Answer a buyer's request",
      description:
        "`accept` cancels the subscription at the end of its period, or moves its billing date for a pause, by the rules of those operations. The buyer reads the answer on their page.",
      answer: BuyerRequest,
      refusals: {
        409: "The request was answered or withdrawn in the meantime; nothing was changed",
      },
      schema: AnswerBuyerRequest,
      work: async (write, { decision, next_billing_cycle, answer, by }, { params }) => {
        const { database, seller, clock } = write;
        const { seller_id } = seller;
        const known = isUuid(params.id) ? await read(database, seller_id, params.id) : null;
        if (!known) throw notFoundError();
        // The subscription is locked before its request, as wherever both are changed.
        if (decision === "accept" && known.state === "open") {
          const { subscription_id, until } = known;
          const found = await lockCurrentSubscription(
            database,
            seller,
            subscription_id,
            clock(),
          );
          // Moving the date would also move what is owed, which nobody has decided.
          if (known.kind === "pause" && found?.status === "due")
            throw detailError(
              409,
              "A payment is due. Move the billing date with Reschedule, which asks what becomes of that payment, then decline this request and explain why.",
            );
          const done =
            known.kind === "stop"
              ? await cancelSubscription(write, subscription_id)
              : await rescheduleSubscription(write, {
                  subscription_id,
                  next_billing_cycle: next_billing_cycle ?? until ?? "",
                });
          if (done instanceof ApiError) throw done;
        }
        const request = await lockRequest(database, seller_id, params.id);
        if (!request) throw notFoundError();
        if (request.state !== "open")
          throw detailError(
            409,
            request.answered_by === null
              ? "The buyer withdrew this request in the meantime."
              : `${request.answered_by} answered this request in the meantime.`,
          );
        await endRequest(database, seller_id, request, {
          state: decision === "accept" ? "accepted" : "declined",
          at: clock(),
          by: by.name,
          answer,
        });
        return read(database, seller_id, params.id);
      },
    }),
  );
}
