import type { FastifyInstance } from "fastify";
import {
  ChangePage,
  ChangeQuery,
  LONGEST_WAIT,
  SubscriptionChangePage,
  SubscriptionChangeQuery,
} from "#contract/changes.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { ApiError, detailError } from "../http/errors.ts";
import { nextPageUrl } from "../http/pagination.ts";
import { filteredRoute } from "../http/read.ts";
import { readCursor, writeCursor, type Cursor } from "./cursor.ts";
import { readHistory } from "./history.ts";
import { describeChanges } from "./records.ts";
import { DAYS_KEPT, readFeedState, selectChanges, type FeedState } from "./store.ts";
import { ChangeWatch } from "./watch.ts";

const DAY = 86_400_000;

export function changeRoutes(api: FastifyInstance, { pool, now, publicUrl }: ServiceContext) {
  const watch = new ChangeWatch(pool);
  api.addHook("preClose", async () => watch.close());

  api.get(
    "/changes/",
    filteredRoute({
      summary: "Follow changes",
      description:
        "Subscriptions, customers, products and payments that were created, changed or removed since a cursor, in order, each once a page with the record as it is now. Begin without a cursor: the answer has the present cursor and no rows. Then read the lists, ask with that cursor, and from then on always with the cursor of the last answer. No change is left out, but a record can come again. A subscription repeats names of its product: when these change, the feed lists the product, not each subscription. With `wait` the answer comes with the next change, or else after that many seconds.",
      filters: ChangeQuery,
      meanings: {
        cursor: "The cursor of the last answer; left out in the first request",
        wait: `Seconds to wait for a change if there is none, at most ${LONGEST_WAIT}`,
        page_size: "Rows per page, at most",
      },
      answer: ChangePage,
      refusals: {
        410: "The cursor is older than seven days, or the account's records were replaced since: read everything again",
      },
      read: async ({ cursor: text, wait, page_size }, request, reply) => {
        const seller = sellerOf(request);
        const { seller_id: sellerId } = seller;
        if (text === undefined) {
          const asked = now().getTime();
          const { snapshot, ...feed } = await readFeedState(pool, sellerId);
          const place = {
            sellerId,
            ...feed,
            since: [snapshot, asked] satisfies [string, number],
          };
          const cursor = writeCursor({ ...place, until: null, after: null });
          return { cursor, has_more: false, results: [] };
        }
        const cursor = readCursor(text);
        if (cursor?.sellerId !== sellerId)
          throw new ApiError(400, {
            cursor: [
              "This cursor does not belong to this account. Begin again without a cursor.",
            ],
          });
        const read = async () => {
          const asked = now();
          const page = await selectChanges(pool, cursor, page_size + 1);
          refuseLost(cursor, page, asked);
          return { ...page, until: cursor.until ?? [page.until, asked.getTime()] };
        };
        let page = await read();
        if (page.rows.length === 0 && wait > 0) {
          const leaving = new AbortController();
          reply.raw.once("close", () => leaving.abort());
          await watch.wait(cursor, wait * 1_000, leaving.signal);
          page = await read();
        }
        const rows = page.rows.slice(0, page_size);
        const last = page.rows.length > page_size ? rows.at(-1) : undefined;
        const { until } = page;
        return {
          cursor: writeCursor({
            ...cursor,
            ...(last
              ? { until, after: [last.transaction, last.sequence] }
              : { since: until, until: null, after: null }),
          }),
          // Beyond the snapshot of earlier pages there may be more.
          has_more: last !== undefined || cursor.until !== null,
          results: await describeChanges(pool, seller, rows),
        };
      },
    }),
  );

  api.get(
    "/subscription-changes/",
    filteredRoute({
      summary: "List changes of subscriptions",
      description:
        "Every change of status, billing period, price, period start or billing date, in the order in which it was recorded; `next` is the URL of the next page. `since` is the time since which every change is kept. Take a cursor of the feed of changes first: the feed lists later changes as `history`.",
      filters: SubscriptionChangeQuery,
      meanings: {
        after: "Only changes after the one with this id",
        page_size: "Changes per page",
      },
      answer: SubscriptionChangePage,
      read: async (query, request) => {
        const read = await readHistory(pool, sellerOf(request).seller_id, query);
        const { has_more, ...page } = read;
        const after = String(page.results.at(-1)?.id);
        return { ...page, next: has_more ? nextPageUrl(publicUrl, request, { after }) : null };
      },
    }),
  );
}

/** @throws 410 for a cursor from which the feed cannot go on without leaving something out */
function refuseLost(
  cursor: Cursor,
  feed: FeedState & { is_readable: boolean },
  now: Date,
): void {
  const isOld = now.getTime() - cursor.since[1] > (DAYS_KEPT - 1) * DAY;
  const isOther =
    cursor.origin !== feed.origin ||
    cursor.replacements !== feed.replacements ||
    !feed.is_readable;
  if (isOld || isOther)
    throw detailError(
      410,
      `${isOld ? "This cursor is too old" : "The account's records were replaced after this cursor"}. Read everything again: ask for changes without a cursor, read the lists, then go on with the new cursor.`,
    );
}
