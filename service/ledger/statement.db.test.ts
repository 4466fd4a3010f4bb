import fc from "fast-check";
import { expect, it } from "vitest";
import { LEDGER_ACCOUNTS } from "#contract/names.ts";
import type { Database } from "../db/database.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { closeLedgers, readStatement } from "./statement.ts";

const service = useTestService("test");

const HOUR = 3_600_000;
const KATHMANDU = "Asia/Kathmandu";
const MONTHS = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05"];

interface Line {
  account: string;
  currency: string;
  amount: number;
}
interface Entry {
  kind: string;
  at: string;
  lines: Line[];
}

let seller: { seller_id: number; time_zone: string };
let subscription: string;
async function openSeller() {
  const api = await SellerApi.open(service);
  subscription = (await api.create()).subscription_id;
  seller = { seller_id: api.seller.seller_id, time_zone: KATHMANDU };
}

/** Adds journal rows without the payments behind them; late rows still reopen closings. */
async function book(text: string, values: unknown[]) {
  const client = await service.pool.connect();
  try {
    await client.query("begin");
    await client.query("alter table journal_entry enable always trigger reopen_ledger");
    await client.query("set local session_replication_role = replica");
    await client.query(text, [seller.seller_id, subscription, ...values]);
    await client.query("commit");
  } finally {
    client.release(true);
  }
}

const add = (entries: Entry[]) =>
  book(
    `with entry as (
       select gen_random_uuid() as id, * from jsonb_to_recordset($3) as e (kind text, at timestamptz, lines jsonb)
     ), made as (
       insert into journal_entry (seller_id, kind, booked_at, subscription_id, payment_id, charge_id, refund_id)
       select $1, kind, at, $2, id, id, id from entry returning entry_id, payment_id)
     insert into journal_line (entry_id, position, seller_id, account, currency, amount)
     select entry_id, position, $1, line ->> 'account', line ->> 'currency', (line ->> 'amount')::bigint / 100.0
     from made join entry on id = payment_id
     cross join jsonb_array_elements(lines) with ordinality as l (line, position)`,
    [JSON.stringify(entries)],
  );

const read = (month: string, database: Database = service.pool) =>
  readStatement(database, seller, {
    month,
    now: service.clock.now(),
    after: undefined,
    page_size: 100,
  });

const text = (hundredths: number) => (hundredths / 100).toFixed(2);
const sumOf = (lines: Line[]) => lines.reduce((sum, { amount }) => sum + amount, 0);

/** What a statement says, summed apart from the service. */
function expected(entries: Entry[], { from, until }: { from: string; until: string }) {
  const linesOf = (chosen: Entry[]) => chosen.flatMap(({ lines }) => lines);
  const within = entries.filter(({ at }) => at >= from && at < until);
  const [before, lines] = [linesOf(entries.filter(({ at }) => at < from)), linesOf(within)];
  const accounts = LEDGER_ACCOUNTS.flatMap((account) =>
    ["NPR", "USD"].flatMap((currency) => {
      const own = (all: Line[]) =>
        all.filter((line) => line.account === account && line.currency === currency);
      const opening = sumOf(own(before));
      const debit = sumOf(own(lines).filter(({ amount }) => amount > 0));
      const credit = -sumOf(own(lines).filter(({ amount }) => amount < 0));
      if (opening === 0 && debit === 0 && credit === 0) return [];
      const sums = { opening, debit, credit, closing: opening + debit - credit };
      const texts = Object.entries(sums).map(([name, sum]) => [name, text(sum)]);
      const named = { account, provider: null, account_id: null, label: null, currency };
      if (account === "provider")
        Object.assign(named, { provider: "sandbox", label: "Sandbox" });
      return [{ ...named, ...Object.fromEntries(texts) }];
    }),
  );
  const totals = ["NPR", "USD"].flatMap((currency) => {
    const own = lines.filter((line) => line.currency === currency);
    if (own.length === 0) return [];
    const of = (kind: string) => within.filter((entry) => entry.kind === kind);
    const sum = (all: Line[], ...names: string[]) =>
      sumOf(all.filter((l) => l.currency === currency && names.includes(l.account)));
    const earned = (kind: string) => sum(linesOf(of(kind)), "seller", "our_fee");
    const payments = of("payment").filter((one) => one.lines[0]?.currency === currency);
    return [
      {
        currency,
        payments: payments.length,
        paid: text(-earned("payment")),
        taken_back: text(earned("reversal")),
        given_back: text(sum(own, "refunds")),
        disputed: text(sum(own, "disputes")),
        provider_fee: text(sum(own, "provider_fee")),
        service_fee: text(-sum(own, "our_fee")),
        net: text(-sum(own, "seller", "refunds", "disputes", "provider_fee")),
      },
    ];
  });
  return { accounts, totals };
}

const between = (min: string, max: string) =>
  fc
    .date({ min: new Date(min), max: new Date(max), noInvalidDate: true })
    .map((date) => date.toISOString());
// Mostly near the ends of months, which differ by time zone.
const AT = fc.oneof(
  between("2026-01-20", "2026-05-20"),
  ...["01-31", "02-28", "03-31"].map((day) => {
    const end = Date.parse(`2026-${day}T18:15Z`);
    const moment = (add: number) => new Date(end + add).toISOString();
    return fc.oneof(
      between(moment(-24 * HOUR), moment(24 * HOUR)),
      fc.constantFrom(...[-1, 0, 5.75 * HOUR - 1, 5.75 * HOUR].map(moment)),
    );
  }),
);
const ENTRY = fc
  .record({
    kind: fc.constantFrom("payment", "payment", "charge", "reversal", "refund", "dispute"),
    at: AT,
    currency: fc.constantFrom("NPR", "NPR", "USD"),
    amounts: fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 1, maxLength: 2 }),
    names: fc.shuffledSubarray([...LEDGER_ACCOUNTS], { minLength: 3, maxLength: 3 }),
    sign: fc.constantFrom(1, -1),
  })
  .map(({ kind, at, currency, amounts, names, sign }): Entry => {
    const others = amounts.map((amount) => -amount);
    const all = [...others, amounts.reduce((sum, amount) => sum + amount, 0)];
    const lines = all.map((amount, index) => {
      const account = names[index] ?? "";
      return { account, currency, amount: amount * sign };
    });
    return { kind, at, lines };
  });
const ZONES = ["UTC", "America/New_York", "Pacific/Auckland", KATHMANDU];

type Step = { entries: Entry[] } | { closed: string } | { zone: string } | { unsummed: string };
const STEP: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ entries: fc.array(ENTRY, { minLength: 1, maxLength: 10 }) }),
  fc.record({ closed: AT }),
  fc.record({ zone: fc.constantFrom(...ZONES) }),
  fc.record({ unsummed: AT }),
);
const STEPS = fc
  .tuple(fc.array(ENTRY, { minLength: 20, maxLength: 40 }), fc.array(STEP, { maxLength: 8 }))
  .map(([entries, steps]): Step[] => [
    { entries },
    { closed: "2026-05-05T06:00:00.000Z" },
    ...ZONES.map((zone) => ({ zone })),
    ...steps,
  ]);

/** Does one step; `unsummed`: closings after it lose their sums, like those of older versions. */
async function take(step: Step) {
  const { seller_id } = seller;
  if ("entries" in step) await add(step.entries);
  else if ("closed" in step) await closeLedgers(service.pool, new Date(step.closed));
  else if ("zone" in step) {
    seller = { seller_id, time_zone: step.zone };
    const change = "update seller set time_zone = $2 where seller_id = $1";
    await service.pool.query(change, [seller_id, step.zone]);
  } else
    await service.pool.query(
      `update ledger_closing
       set debit = null, credit = null, paid = null, taken_back = null, payments = null
       where seller_id = $1 and until > $2`,
      [seller_id, step.unsummed],
    );
}

it("statements equal the sums of their lines after closings, late entries and changes of the time zone", async () => {
  const run = async (steps: Step[]) => {
    await openSeller();
    const all: Entry[] = [];
    for (const step of steps) {
      if ("entries" in step) all.push(...step.entries);
      await take(step);
      for (const month of MONTHS) {
        const { statement } = await read(month);
        const { accounts, totals } = statement;
        expect({ accounts, totals }, month).toEqual(expected(all, statement));
      }
    }
  };
  await fc.assert(fc.asyncProperty(STEPS, run), { numRuns: 5 });
}, 60_000);

interface PlanNode {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

/** The number of rows of tables that a plan read. */
const rowsRead = (node: PlanNode): number =>
  (node["Relation Name"] === undefined
    ? 0
    : (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]) +
  (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);

/** The number of rows that each statement of a month's statement reads. */
async function rowsReadOf(month: string): Promise<number[]> {
  const counts: number[] = [];
  const explaining = {
    query: async (statement: string, values: unknown[]) => {
      const { rows } = await service.pool.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${statement}`,
        values,
      );
      counts.push(...rows.map((row) => rowsRead(row["QUERY PLAN"][0].Plan)));
      return { rows: [] };
    },
  };
  await read(month, explaining as unknown as Database);
  return counts;
}

it("the statement of a month with 20,000 entries reads under 6,000 rows per query once its days are closed", async () => {
  await openSeller();
  await book(
    `with made as (
       insert into journal_entry (seller_id, kind, booked_at, subscription_id, payment_id)
       select $1, 'payment', '2026-01-31T18:15Z'::timestamptz + n * interval '2 minutes', $2, gen_random_uuid()
       from generate_series(1, $3) n returning entry_id)
     insert into journal_line (entry_id, position, seller_id, account, currency, amount)
     select entry_id, position, $1, account, 'NPR', amount
     from made, (values (1, 'cash', 1130), (2, 'seller', -1130)) l (position, account, amount)`,
    [27_000],
  );
  await service.pool.query("analyze journal_entry, journal_line");
  service.clock.set("2026-03-10T06:00:00Z");
  await closeLedgers(service.pool, service.clock.now());
  const zones = [KATHMANDU, "UTC", "Asia/Kolkata"];
  for (const time_zone of zones)
    for (const month of ["2026-02", "2026-03"]) {
      seller = { ...seller, time_zone };
      const name = `${month} ${time_zone}`;
      for (const count of await rowsReadOf(month)) expect(count, name).toBeLessThan(6_000);
    }
});
