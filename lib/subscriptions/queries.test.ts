import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { toPropJson } from "#lib/query/fetch-json.ts";
import { OPENED, openedSubscriptionQuery, subscriptionQuery } from "./queries.ts";

const SCOPE = { seller: "one", mode: "test" } as const;
const record = { reached: null };
const beside = toPropJson([[["payments"], ["paid"], 0]]);

afterEach(() => vi.unstubAllGlobals());

test("only the first request of a subscription's own page also fetches the page's other data", async () => {
  const asked: boolean[] = [];
  vi.stubGlobal("fetch", async (path: string) => {
    const isOpened = path.endsWith(`?${OPENED}`);
    asked.push(isOpened);
    return Response.json(isOpened ? { record, beside } : record);
  });
  const client = new QueryClient();
  const bulk = new QueryClient();
  expect(await bulk.fetchQuery(subscriptionQuery(SCOPE, "a"))).toEqual(record);
  expect(await client.fetchQuery(openedSubscriptionQuery(SCOPE, "a"))).toEqual(record);
  expect(client.getQueryData(["payments"])).toEqual(["paid"]);
  expect(await client.fetchQuery(openedSubscriptionQuery(SCOPE, "a"))).toEqual(record);
  expect(asked).toEqual([false, true, false]);
});
