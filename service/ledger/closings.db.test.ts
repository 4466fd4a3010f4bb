import { beforeEach, expect, it } from "vitest";
import { transaction } from "../db/database.ts";
import { lockAccount } from "../sandbox/account/replace.ts";
import { FakeProvider } from "../testing/fake-provider.ts";
import { clearLedger } from "./book.ts";
import { closeLedgers } from "./statement.ts";
import { BookedSeller } from "../testing/payments/booked-seller.ts";
import type { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter()] });

let seller: BookedSeller;
let api: SellerApi;
beforeEach(async () => {
  seller = await BookedSeller.open(service, fake);
  ({ api } = seller);
});

it("closing days and months changes no statement, and reversing a payment reopens its month", async () => {
  const read = async () => {
    const months = ["2026-02", "2026-03", "2026-04", "2026-05"];
    const statements = await Promise.all(months.map((month) => seller.statement(month)));
    return {
      balances: await seller.balances(),
      accounts: statements.map((one) => one.accounts),
    };
  };
  const closings = async () => {
    const { rows } = await service.pool.query<{ until: string }>(
      `select distinct wire_time(until) as until from ledger_closing where seller_id = $1
       order by 1`,
      [api.seller.seller_id],
    );
    return rows.map(({ until }) => until);
  };
  await api.createActive();
  const { subscription_id } = await api.create(api.periods.monthly, { phone: "9800000002" });
  await seller.recordCash(subscription_id);
  await api.wait(45);
  await api.createActive(api.periods.once, { phone: "9800000003" });
  const open = await read();
  for (let times = 0; times < 2; times += 1)
    await closeLedgers(service.pool, service.clock.now());
  // The end of each month that is over, and of each day of the current one.
  const [march, ...april] = await closings();
  expect(march).toBe("2026-03-31T18:15:00.000Z");
  expect(april[0]).toBe("2026-04-01T18:15:00.000Z");
  expect(april).toHaveLength(22);
  expect(await read()).toEqual(open);
  await api.wait(10);
  await closeLedgers(service.pool, service.clock.now());
  const all = [
    march,
    "2026-04-30T18:15:00.000Z",
    "2026-05-01T18:15:00.000Z",
    "2026-05-02T18:15:00.000Z",
  ];
  expect(await closings()).toEqual(all);
  // A change of a payment opens its month and all later days again.
  await service.pool.query(
    "update payment set reversed_at = paid_at where seller_id = $1 and method = 'cash'",
    [api.seller.seller_id],
  );
  expect(await closings()).toEqual([]);
  const reopened = await read();
  expect(reopened).not.toEqual(open);
  await closeLedgers(service.pool, service.clock.now());
  expect(await closings()).toEqual(all);
  expect(await read()).toEqual(reopened);
});

it("a seller whose days cannot be closed does not prevent closing another seller's days", async () => {
  await api.createActive();
  const other = await BookedSeller.open(service, fake);
  await other.api.createActive();
  await api.wait(3);
  const ids = [api.seller.seller_id, other.api.seller.seller_id];
  await service.pool.query(
    `alter table ledger_closing add constraint broken check (seller_id <> ${ids[0]}) not valid`,
  );
  await expect(closeLedgers(service.pool, service.clock.now())).rejects.toThrow("broken");
  await service.pool.query("alter table ledger_closing drop constraint broken");
  const { rows } = await service.pool.query(
    "select distinct seller_id from ledger_closing where seller_id = any ($1)",
    [ids],
  );
  expect(rows).toEqual([{ seller_id: ids[1] }]);
});

it("no day or month is closed while the seller's ledger is being replaced", async () => {
  await api.createActive();
  await api.wait(45);
  const { seller_id } = api.seller;
  const now = service.clock.now();
  const count = async (query: string) =>
    (await service.pool.query<{ count: number }>(query)).rows[0]?.count;
  let closing = Promise.resolve();
  await transaction(service.pool, async (database) => {
    await lockAccount(database, seller_id, now);
    await clearLedger(database, seller_id);
    closing = closeLedgers(service.pool, now);
    let hasEnded = false;
    const end = () => (hasEnded = true);
    void closing.then(end, end);
    const waits = `select count(*)::int as count from pg_locks
      where locktype = 'advisory' and classid = 71 and not granted`;
    const isHeld = async () => hasEnded || (await count(waits)) === 1;
    await expect.poll(isHeld, { timeout: 20_000 }).toBe(true);
  });
  await closing;
  const kept = `select count(*)::int as count from ledger_closing where seller_id = ${seller_id}`;
  expect(await count(kept)).toBe(0);
});
