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
import { notFoundError, validQuery } from "../http/errors.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { parseBody, writeRoute } from "../http/write.ts";
import { addOptOut, findOptOuts, removeOptOut, selectOptOuts } from "./opt-outs.ts";
import { numberOf } from "./routes.ts";

/** The routes of opt-outs. */
export function optOutRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, now } = context;

  api.get<{ Querystring: Record<string, string> }>(
    "/reminders/opt-outs/",
    withRouteDoc({
      summary: "List who wants no reminders",
      description: "Newest recipients first; `next` is the URL of the next page.",
      query: {
        schemas: OptOutQuery.shape,
        meanings: {
          before: "Only those before this one, by its number",
          page_size: "Rows per page",
        },
      },
      answer: OptOutPage,
      refusals: { 400: { text: "A filter is not valid", schema: "FieldErrors" } },
    }),
    async (request): Promise<OptOutPage> => {
      const { before, page_size } = validQuery(OptOutQuery, request.query);
      const rows = await selectOptOuts(pool, sellerOf(request).seller_id, {
        before,
        limit: page_size + 1,
      });
      const results = rows.slice(0, page_size);
      const last = rows.length > page_size ? results.at(-1) : undefined;
      const following =
        last && new URLSearchParams({ ...request.query, before: String(last.id) });
      const next =
        following && `${publicUrl}${request.routeOptions.url}?${following.toString()}`;
      return { next: next ?? null, results };
    },
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
        "Who wants no reminders and has one of these phone numbers, in any spelling, or mail addresses; parts of them find as well. At most 50.",
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
