import type { FastifyInstance } from "fastify";
import {
  AccountMove,
  AccountMovePreview,
  ProductSubscribers,
  StartMove,
  UndoneMove,
} from "#contract/account.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { notFoundError, validQuery } from "../http/errors.ts";
import { isUuid, requireRecordId } from "../http/ids.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import { sellerNow } from "../sellers/store.ts";
import {
  beginMove,
  beginUndo,
  countSubscribers,
  previewMove,
  SLICES_AT_ONCE,
  spreadMove,
} from "../subscriptions/period-move.ts";
import { refuseInWords } from "./products.ts";

const NOT_FITTING = {
  text: "Subscribers cannot move between these billing periods",
  schema: "Problem",
} as const;

export function moveRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, now } = context;

  api.get<{ Params: { id: string } }>(
    "/products/:id/subscribers/",
    withRouteDoc({
      summary: "Count a product's subscribers",
      description: "Counts them by billing period, with their newest move.",
      answer: ProductSubscribers,
    }),
    async (request): Promise<ProductSubscribers> => {
      const { id } = request.params;
      const seller = sellerOf(request);
      const clock = sellerNow(seller, now());
      const periods = isUuid(id) ? await countSubscribers(pool, seller, id, clock) : [];
      if (periods.length === 0) throw notFoundError();
      return { periods };
    },
  );

  api.get(
    "/moves/preview/",
    withRouteDoc({
      summary: "Preview a move of subscribers",
      description:
        "What moving the subscribers of an archived billing period to another one of its plan would change: their number, the days and the amounts. Changes nothing.",
      query: {
        schemas: StartMove.shape,
        meanings: {
          from: "The archived billing period",
          to: "The billing period on sale; if left out, the one that replaced it",
        },
        required: ["from"],
      },
      answer: AccountMovePreview,
      refusals: { 400: NOT_FITTING },
    }),
    async (request) => {
      const wanted = validQuery(StartMove, request.query);
      const seller = sellerOf(request);
      return refuseInWords(previewMove(pool, seller, wanted, sellerNow(seller, now())));
    },
  );

  api.post(
    "/moves/",
    writeRoute(context, {
      summary: "Move subscribers to another billing period",
      description:
        "Subscribers pay the new price from their next billing date on; a subscription that is due pays the old price first. Until then the move can be undone.",
      status: 201,
      success: "Moved",
      answer: AccountMove,
      refusals: { 400: NOT_FITTING },
      schema: StartMove,
      work: async ({ database, seller, clock }, wanted) => ({
        seller_id: seller.seller_id,
        move: await refuseInWords(beginMove(database, seller, wanted, clock())),
      }),
      after: async ({ seller_id, move }) => {
        await spreadMove(pool, seller_id, move.id, { most: SLICES_AT_ONCE });
        return move;
      },
    }),
  );

  api.post(
    "/moves/:id/undo/",
    writeRoute(context, {
      summary: "Undo a move of subscribers",
      description:
        "Undoes it for subscribers whose billing date has not come yet; the others keep the new price.",
      answer: UndoneMove,
      refusals: { 404: "There is no such move" },
      work: async ({ database, seller, clock }, _, { params: { id } }) => {
        const undone = await beginUndo(database, seller, requireRecordId(id), clock());
        if (!undone) throw notFoundError();
        return { seller_id: seller.seller_id, undone };
      },
      after: async ({ seller_id, undone }) => {
        await spreadMove(pool, seller_id, undone.id, { most: SLICES_AT_ONCE });
        return undone;
      },
    }),
  );
}
