import { hydrate } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { AppError, type Failure } from "#lib/failure.ts";
import { dehydratedState, makeQueryClient, refetchEvery } from "./client.ts";
import { fromPropJson, toPropJson } from "./fetch-json.ts";

/** The refetch interval after this failure, for a page that refetches every second. */
async function pauseAfter(failure: Failure | null) {
  const client = makeQueryClient();
  const queryKey = ["read"];
  await client
    .fetchQuery({
      queryKey,
      queryFn: () => (failure ? Promise.reject(new AppError(failure)) : 1),
      retry: false,
    })
    .catch(() => {});
  const query = client.getQueryCache().find({ queryKey });
  return query && refetchEvery(1_000)(query);
}

test.each<[what: string, failure: Failure | null, pause: number | false]>([
  ["as often as it wants while all is well", null, 1_000],
  [
    "as late as the service asks when it limits requests",
    { kind: "rate_limited", retry_after: 60 },
    60_000,
  ],
  [
    "after five seconds while the service is away",
    { kind: "unavailable", outcome_unknown: false },
    5_000,
  ],
  ["never after a failure that does not pass", { kind: "unauthorized" }, false],
])("a page refetches %s", async (_what, failure, pause) => {
  expect(await pauseAfter(failure)).toBe(pause);
});

test("fresh data that the server has read for the page is not fetched again", async () => {
  const client = makeQueryClient();
  const queryKey = [{ seller: "one" }, "list", { page: 1 }];
  hydrate(client, dehydratedState([[queryKey, ["row"], Date.now()]]));
  const queryFn = () => Promise.reject(new Error("read again"));
  expect(await client.fetchQuery({ queryKey, queryFn })).toEqual(["row"]);
});

test("JSON in a page prop keeps its value, names repeated fields once and uses single quotes", () => {
  const rows = [
    { id: "a", at: new Date(0), price: { amount: "1.00" }, tags: [], note: undefined },
    { id: "b", at: null, price: { amount: "2.00" }, tags: [["x"], {}] },
  ];
  const value = { "it's": `a "quoted" word`, rows, "0": true };
  const json = toPropJson(value);
  expect(fromPropJson(json)).toEqual(JSON.parse(JSON.stringify(value)));
  expect(json.match(/amount/g)).toHaveLength(1);
  expect(json).toContain(`'a \\'quoted\\' word'`);
});
