import { describe, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Language } from "#lib/i18n/languages.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  addIndex,
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { readWorkbook } from "#tools/testing/read-workbook.ts";
import { translatorOf } from "#tools/testing/messages.ts";
import { searchSubscriptions } from "../../search-index/query/subscription-query.ts";
import { parseLine } from "../query-line.ts";
import { parseSubscriptionSearch, type SubscriptionSearch } from "../search.ts";
import { countExport, openExport, type ExportFile } from "./data.ts";
import { EXPORT_COLUMNS } from "./columns.ts";

useDashboardDatabase();

interface Wanted extends Partial<Pick<ExportFile, "format" | "columns" | "longestPause">> {
  line?: string;
  search?: Partial<SubscriptionSearch>;
  language?: Language;
  time_zone?: string;
}

function asked({ line = "", search = {}, time_zone = "Asia/Kathmandu" }: Wanted) {
  const { words, filters } = parseLine(line);
  return {
    search: { ...parseSubscriptionSearch({}), ...filters, ...search },
    words,
    time_zone,
  };
}

function open(owner: KeyOwner, wanted: Wanted = {}) {
  const { format = "csv", columns = ["buyer"], language = "en", longestPause } = wanted;
  const wording = {
    t: translatorOf("export", language),
    tList: translatorOf("subscriptions", language),
  };
  const pause = longestPause === undefined ? {} : { longestPause };
  return openExport(pool, owner, asked(wanted), {
    format,
    columns,
    amounts: {},
    wording,
    user_id: owner.seller_id,
    mayGoOn: async () => true,
    ...pause,
  });
}

async function bytesOf(owner: KeyOwner, wanted: Wanted = {}) {
  const { body } = await open(owner, wanted);
  return Buffer.from(await new Response(body).arrayBuffer());
}

/** The lines of the file without the heading. */
async function linesOf(owner: KeyOwner, wanted: Wanted = {}) {
  const text = (await bytesOf(owner, wanted)).toString("utf8");
  return text.split("\r\n").slice(1, -1);
}

const named = (full_name: string) => makeSubscription({ client: { full_name } });
const many = (count: number) => Array.from({ length: count }, (_, n) => named(`Buyer ${n}`));

test("an exported file contains the rows of all pages in the list's order", async () => {
  const subscriptions = many(1_234);
  const owner = await createIndexedSeller(pool, { subscriptions });
  const names = subscriptions.map(({ client }) => client.full_name);
  expect(await linesOf(owner)).toEqual(names.toReversed());
  expect(await linesOf(owner, { search: { page: 7, page_size: 20 } })).toHaveLength(1_234);
  expect(await linesOf(owner, { search: { sort: "created" } })).toEqual(names);
});

describe("an exported file has the same rows and count as the list", () => {
  const subscriptions = [
    ...[null, "2026-12-02T00:00:00Z", "2026-11-02T00:00:00Z", null].map(
      (next_billing_cycle, n) =>
        makeSubscription({
          next_billing_cycle,
          client: { full_name: n % 2 ? "Sita Rai" : "Rai Sita" },
          product: { price: ["5.00", "x", "100.00", "20.00"][n] ?? "", plan_name: `Plan ${n}` },
        }),
    ),
    makeSubscription({ status: "due", client: { full_name: "सीता" } }),
    named("Somebody"),
  ];

  test.each([
    ["", null],
    ["sita", null],
    ["sita", "buyer"],
    ["sitta raii", null],
    ["status:due", "-status"],
    ['plan:"Plan 2"', null],
    ["price:>=20", "-price"],
    ["", "-next_billing"],
    ["", "next_billing"],
    ["", "-price"],
    ["", "-created"],
    ["nobodyatall", null],
  ] as const)("for the search line %o in the order %o", async (line, sort) => {
    const owner = await createIndexedSeller(pool, { subscriptions });
    const wanted = { line, search: { sort } };
    const found = await searchSubscriptions(pool, owner, asked(wanted));
    if (found.state !== "ready") throw new Error("the index is not ready");
    expect(await linesOf(owner, { ...wanted, columns: ["subscription_id"] })).toEqual(
      found.results.map(({ subscription_id }) => subscription_id),
    );
    expect(await countExport(pool, owner, asked(wanted))).toMatchObject({ count: found.count });
  });
});

test("an exported file contains rows that are deleted while it is written", async () => {
  const owner = await createIndexedSeller(pool, { subscriptions: many(2_000) });
  const { rows, body } = await open(owner);
  const reader = body.getReader();
  const first = await reader.read();
  await pool.query("delete from mirror_subscription where seller_id = $1", [owner.seller_id]);
  let text = new TextDecoder().decode(first.value);
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  expect(rows).toBe(2_000);
  expect(text.split("\r\n")).toHaveLength(2_002);
});

test("an exported file never contains rows of another seller or mode", async () => {
  const owner = await createIndexedSeller(pool, { subscriptions: [named("Ours")] });
  await addIndex(pool, { ...owner, mode: "live" }, { subscriptions: [named("Ours, live")] });
  await createIndexedSeller(pool, { subscriptions: [named("Theirs")] });
  for (const wanted of [{}, { line: "theirs" }, { line: "ours" }, { line: "status:active" }]) {
    const lines = await linesOf(owner, wanted);
    expect(lines.filter((line) => line !== "Ours")).toEqual([]);
  }
  expect(await linesOf({ ...owner, mode: "live" })).toEqual(['"Ours, live"']);
});

test("formulas are exported as plain text in CSV and XLSX, and CSV begins with the UTF-8 byte order mark", async () => {
  const owner = await createIndexedSeller(pool, {
    subscriptions: [
      makeSubscription({
        client: { full_name: '=HYPERLINK("http://x")', phone: "+977 980", address: "सरस्वती" },
      }),
    ],
  });
  const columns = ["buyer", "phone", "address"] as const;
  const csv = await bytesOf(owner, { columns });
  expect([...csv.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  expect(csv.toString("utf8")).toBe(
    `\uFEFFBuyer,Phone,Address\r\n"'=HYPERLINK(""http://x"")","'+977 980",सरस्वती\r\n`,
  );
  const [sheet] = readWorkbook(await bytesOf(owner, { columns, format: "xlsx" }));
  expect(sheet?.[1]).toEqual({
    A: { kind: "text", value: '=HYPERLINK("http://x")' },
    B: { kind: "text", value: "+977 980" },
    C: { kind: "text", value: "सरस्वती" },
  });
});

test("an exported file shows times in the seller's time zone, in summer and winter time", async () => {
  const owner = await createIndexedSeller(pool, {
    subscriptions: [
      makeSubscription({ next_billing_cycle: "2026-11-01T06:30:00Z" }),
      makeSubscription({ next_billing_cycle: "2026-03-08T10:00:00+00:00" }),
      makeSubscription({ next_billing_cycle: null }),
      makeSubscription({ next_billing_cycle: "soon" }),
    ],
  });
  const wanted = { columns: ["next_billing"] as const, search: { sort: "created" as const } };
  expect(await linesOf(owner, wanted)).toEqual([
    "2026-11-01T12:15:00+05:45",
    "2026-03-08T15:45:00+05:45",
    "",
    "soon",
  ]);
  const there = { ...wanted, time_zone: "America/New_York" };
  expect((await linesOf(owner, there)).slice(0, 2)).toEqual([
    "2026-11-01T01:30:00-05:00",
    "2026-03-08T06:00:00-04:00",
  ]);
  const [sheet] = readWorkbook(await bytesOf(owner, { ...wanted, format: "xlsx" }));
  expect(sheet?.map(({ A }) => A)).toEqual([
    { kind: "text", value: "Next billing (Asia/Kathmandu)" },
    { kind: "number", value: expect.stringMatching(/^46327\.510416/) },
    { kind: "number", value: expect.stringMatching(/^46089\.65625/) },
    undefined,
    { kind: "text", value: "soon" },
  ]);
});

test("an exported file can contain all columns, with headings and statuses in the user's language", async () => {
  const record = makeSubscription({
    status: "pending_checkout",
    client: {
      billing: {
        business_name: "डेरी",
        email: "b@x.example",
        address: "Lalitpur",
        pan_vat: "012",
      },
    },
  });
  const owner = await createIndexedSeller(pool, { subscriptions: [record] });
  const wanted = { columns: EXPORT_COLUMNS, language: "ne", format: "xlsx" } as const;
  const [sheet] = readWorkbook(await bytesOf(owner, wanted));
  const cells = Object.values(sheet?.[1] ?? {}).map(({ value }) => value);
  expect(Object.values(sheet?.[0] ?? {})).toHaveLength(EXPORT_COLUMNS.length);
  expect(cells).toEqual(
    expect.arrayContaining(["चेकआउट बाँकी", "pending_checkout", "डेरी", "012", "500"]),
  );
});

test.each(["csv", "xlsx"] as const)(
  "an aborted %s download releases its database connection",
  async (format) => {
    const owner = await createIndexedSeller(pool, { subscriptions: many(5_000) });
    const { body } = await open(owner, { format, columns: EXPORT_COLUMNS });
    const reader = body.getReader();
    await reader.read();
    expect(await openTransactions()).toBe(1);
    await reader.cancel();
    await expect.poll(openTransactions).toBe(0);
    const never = await open(owner, { format });
    await never.body.cancel();
    const paused = await open(owner, { format, longestPause: 1 });
    await expect(paused.body.getReader().closed).rejects.toThrow("stopped reading");
    await paused.close();
    await expect.poll(openTransactions).toBe(0);
  },
);

// SQL condition: a connection is inside a transaction. It may be busy reading the next rows. Autovacuum
// may be in one of its own.
const IN_TRANSACTION = `where datname = current_database() and xact_start is not null
    and backend_type = 'client backend' and pid <> pg_backend_pid()`;

async function openTransactions(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity ${IN_TRANSACTION}`,
  );
  return rows[0]?.count ?? 0;
}

test("a lost database connection aborts the download instead of ending the file early", async () => {
  const owner = await createIndexedSeller(pool, { subscriptions: many(3_000) });
  const { body } = await open(owner);
  const reader = body.getReader();
  await reader.read();
  await pool.query(
    `select pg_terminate_backend(pid, 30000) from pg_stat_activity ${IN_TRANSACTION}`,
  );
  const rest = (async () => {
    while (!(await reader.read()).done);
  })();
  await expect(rest).rejects.toThrow();
  expect(await linesOf(owner)).toHaveLength(3_000);
});

test("a seller's exports run one at a time, and none runs while the search index is incomplete", async () => {
  const owner = await createIndexedSeller(pool, { subscriptions: many(3) });
  const { body } = await open(owner);
  await expect(open(owner)).rejects.toMatchObject({ failure: { kind: "conflict" } });
  await body.cancel();
  const whose = [owner.seller_id, owner.mode];
  await pool.query(
    "update mirror set filled_at = null where seller_id = $1 and mode = $2",
    whose,
  );
  await expect(open(owner)).rejects.toMatchObject({ failure: { kind: "conflict" } });
  expect(await countExport(pool, owner, asked({}))).toMatchObject({ state: "filling" });
  await pool.query(
    "update mirror set filled_at = null where seller_id = $1 and mode = $2",
    whose,
  );
  expect(await countExport(pool, owner, asked({}))).toEqual({
    state: "filling",
    read: 0,
    total: null,
  });
});
