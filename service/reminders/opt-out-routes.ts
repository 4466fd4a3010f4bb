import type { FastifyInstance } from "fastify";
import {
  AddOptOut,
  FindOptOuts,
  OptOut,
  OptOutPage,
  OptOutQuery,
} from "#contract/reminders.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { notFoundError } from "../http/errors.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { pageBefore } from "../http/pagination.ts";
import { filteredRoute } from "../http/read.ts";
import { parseBody, writeRoute } from "../http/write.ts";
import { addOptOut, findOptOuts, removeOptOut, selectOptOuts } from "./opt-outs.ts";
import { numberOf } from "./routes.ts";

export function optOutRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, now } = context;

  api.get(
    "/reminders/opt-outs/",
    filteredRoute({
      summary: "List opt-outs",
      description: "Newest recipients first; `next` is the URL of the next page.",
      filters: OptOutQuery,
      meanings: {
        before: "Only those before the one with this number",
        page_size: "Rows per page",
      },
      answer: OptOutPage,
      read: async ({ before, page_size: size }, request) => {
        const rows = await selectOptOuts(pool, sellerOf(request).seller_id, {
          before,
          limit: size + 1,
        });
        return pageBefore(rows, { publicUrl, request, size, idOf: ({ id }) => String(id) });
      },
    }),
  );

  api.post(
    "/reminders/opt-outs/:id/remove/",
    writeRoute<{ id: string }, undefined, OptOut>(context, {
      summary: "Remove an opt-out",
      description: "For a buyer who asked to be reminded again.",
      answer: OptOut,
      work: async ({ database, seller: { seller_id } }, _, { params }) => {
        const removed = await removeOptOut(database, seller_id, numberOf(params.id));
        if (!removed) throw notFoundError();
        return removed;
      },
    }),
  );

  api.post(
    "/reminders/opt-outs/find/",
    withRouteDoc({
      summary: "Find opt-outs",
      description:
        "Recipients who want no reminders and have one of these phone numbers, in any spelling, or mail addresses; parts of them match as well. At most 50.",
      answer: OptOutPage,
      body: FindOptOuts,
      refusals: { 400: { text: "The words are not valid", schema: "Problem" } },
    }),
    async (request): Promise<OptOutPage> => {
      const { words } = parseBody(FindOptOuts, request.body);
      return { next: null, results: await findOptOuts(pool, sellerOf(request), words) };
    },
  );

  api.post(
    "/reminders/opt-outs/",
    writeRoute<object, AddOptOut, OptOut>(context, {
      summary: "Note an opt-out",
      description: "For a buyer who told the seller that they want no reminders.",
      status: 201,
      success: "Noted",
      answer: OptOut,
      schema: AddOptOut,
      work: ({ database, seller }, wanted) => addOptOut(database, seller, wanted, now()),
    }),
  );
}
