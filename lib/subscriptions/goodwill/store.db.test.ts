import { expect, test } from "vitest";
import type { Product } from "#contract/products.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { AppError, type Failure } from "#lib/failure.ts";
import {
  createIndexedSeller,
  makeProduct,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import {
  clientOf,
  jsonAnswer,
  fakeService,
  useBillingServer,
} from "#tools/testing/servers/billing-server.ts";
import { createPerson } from "#tools/testing/person.ts";
import { insertGoodwill, moveBillingDateWithSettlement, readDebt, waiveDebt } from "./store.ts";

useDashboardDatabase();
useBillingServer();

test("a goodwill extension and its withdrawal are stored as contacts with the old and new billing date", async () => {
  const owner = await createIndexedSeller(pool);
  const { id } = await createPerson(pool);
  const giver = { owner, user: { id, name: "Asha" }, seller: { time_zone: "Asia/Kathmandu" } };
  const before = makeSubscription({
    subscription_id: "s-1",
    next_billing_cycle: "2026-12-20T00:00:00+05:45",
  });
  const after = { ...before, next_billing_cycle: "2026-12-27T00:00:00+05:45" };
  const goodwill = { reason: "hardship", words: "बिरामी" } as const;
  await insertGoodwill(pool, giver, goodwill, { before, day: "2026-12-27", after });
  await insertGoodwill(
    pool,
    giver,
    { reason: "taken_back", words: "" },
    {
      before: after,
      day: "2026-12-20",
      after: null,
    },
  );
  const { rows } = await pool.query(
    `select kind, person_name, detail, cycle from contact
      where seller_id = $1 and mode = $2 and subscription_id = 's-1' order by id`,
    [owner.seller_id, owner.mode],
  );
  expect(rows).toEqual([
    {
      kind: "courtesy",
      person_name: "Asha",
      detail: { before: "2026-12-20", after: "2026-12-27", reason: "hardship", text: "बिरामी" },
      cycle: new Date("2026-12-26T18:15:00Z"),
    },
    {
      kind: "courtesy",
      person_name: "Asha",
      detail: { before: "2026-12-27", after: "2026-12-20", reason: "taken_back" },
      cycle: new Date("2026-12-26T18:15:00Z"),
    },
  ]);
});

const noon = (day: string) => `${day}T12:00:00+05:45`;
const record = (status: string, start: string, end: string) =>
  makeSubscription({
    subscription_id: "s-1",
    status,
    current_period_start: noon(start),
    current_period_end: noon(end),
    next_billing_cycle: noon(end),
  });
const due = record("due", "2026-10-21", "2026-11-21");
const moved = record("active", "2026-10-21", "2026-11-28");
const dueAgain = record("due", "2026-10-21", "2026-11-28");
const KEPT = { owed: "kept", reason: "away", words: "Back on Friday" } as const;
const FORGIVEN = { ...KEPT, owed: "forgiven" } as const;

const NOW = "2026-11-24T06:00:00.000Z";

/** The checkout's amount is 339.00 until 25 November, then 565.00. */
const milk = makeProduct({
  offers: [{ discount_amount: 200, starts_at: "2026-11-20", valid_until: "2026-11-25" }],
});

/** Creates a seller with the due subscription in their index. */
async function open(products: Product[] = []) {
  fakeService.answers = [jsonAnswer(404, {})];
  const owner = await createIndexedSeller(pool, { subscriptions: [due], products });
  const { id } = await createPerson(pool);
  const giver = {
    owner,
    user: { id, name: "Asha" },
    seller: { time_zone: "Asia/Kathmandu" },
    scope: { seller: owner.seller_id, mode: owner.mode },
    billing: clientOf(),
    now: NOW,
  };
  const settle = (settlement: typeof KEPT | typeof FORGIVEN | null, before = due) =>
    moveBillingDateWithSettlement(
      pool,
      giver,
      { before, day: "2026-11-28", settlement },
      async () => "moved",
    );
  return {
    owner,
    giver,
    settle,
    sees: (...subscriptions: (typeof due)[]) => storeRecords(pool, owner, { subscriptions }),
    debtOf: (subscription: typeof due) => readDebt(pool, giver, subscription),
  };
}

test("a kept debt with its reason appears once the subscription has the new billing date", async () => {
  const { settle, debtOf } = await open();
  expect(await settle(KEPT)).toBe("moved");
  // While the record is due, the debt is part of the due amount and must not be counted twice.
  expect(await debtOf(due)).toBeNull();
  expect(await debtOf(moved)).toMatchObject({
    amount: "500.00",
    currency: "NPR",
    since: "2026-11-21",
    name: "Asha",
    reason: "away",
    text: "Back on Friday",
  });
});

const serviceTimeAt = (now: string) =>
  jsonAnswer(200, {
    now,
    real_now: NOW,
    is_ahead: true,
    time_zone: "UTC",
    next_transition_at: null,
  });

test("a kept debt is the checkout's amount, with offer and VAT, on the current day of the service", async () => {
  const { owner, settle, debtOf } = await open([milk]);
  fakeService.answers = [serviceTimeAt("2026-11-25T18:14:00Z")];
  await settle(KEPT);
  expect(await debtOf(moved)).toMatchObject({ amount: "339.00", is_list_price: false });
  // In Kathmandu the offer has ended; the earlier debt is added.
  fakeService.answers = [serviceTimeAt("2026-11-25T18:16:00Z")];
  await settle(KEPT, dueAgain);
  expect(await debtOf(record("active", "2026-10-21", "2026-12-05"))).toMatchObject({
    amount: "904.00",
    since: "2026-11-21",
    is_list_price: false,
  });
  const { rows } = await pool.query<{ detail: object }>(
    "select detail from contact where seller_id = $1 order by id desc limit 1",
    [owner.seller_id],
  );
  expect(rows[0]?.detail).toMatchObject({ payments: 2, start: "2026-10-21T06:15:00.000Z" });
});

test("a kept debt is the list price, and marked so, if the billing period is not in the product list", async () => {
  const { owner, settle, debtOf } = await open();
  await settle(KEPT);
  expect(await debtOf(moved)).toMatchObject({ amount: "500.00", is_list_price: true });
  await pool.query("update mirror set filled_at = null where seller_id = $1 and mode = $2", [
    owner.seller_id,
    owner.mode,
  ]);
  const page = { count: 1, next: null, previous: null, results: [milk] };
  fakeService.answers = [serviceTimeAt("2026-11-25T06:00:00Z"), jsonAnswer(200, page)];
  await settle(KEPT, dueAgain);
  expect(await debtOf(record("active", "2026-10-21", "2026-12-05"))).toMatchObject({
    amount: "839.00",
    is_list_price: true,
  });
});

test("a second debt in another currency is refused, and the first debt stays unchanged", async () => {
  const { settle, debtOf } = await open();
  const inDollars = { ...due, product: { ...due.product, currency: "USD" } };
  await settle(KEPT, inDollars);
  await expect(settle(KEPT, dueAgain)).rejects.toThrow("conflict");
  expect(await debtOf(dueAgain)).toMatchObject({ amount: "500.00", currency: "USD" });
});

test("the billing date of a due subscription cannot be moved unless its debt is kept or waived", async () => {
  const { settle, debtOf } = await open();
  await expect(settle(null)).rejects.toThrow("conflict");
  expect(await settle(null, moved)).toBe("moved");
  await settle(FORGIVEN);
  expect(await debtOf(moved)).toBeNull();
});

const failing = (failure: Failure) => () => Promise.reject(new AppError(failure));
const REFUSED: Failure = { kind: "forbidden" };
const LATER: Failure = { kind: "rate_limited", retry_after: null };
const LOST: Failure = { kind: "unavailable", outcome_unknown: true };

test("no debt is kept if the service refuses the move, but one is kept if the response is lost", async () => {
  const { giver, debtOf } = await open();
  const move = { before: due, day: "2026-11-28", settlement: KEPT };
  await expect(
    moveBillingDateWithSettlement(pool, giver, move, failing(REFUSED)),
  ).rejects.toThrow("forbidden");
  expect(await debtOf(moved)).toBeNull();
  await expect(moveBillingDateWithSettlement(pool, giver, move, failing(LOST))).rejects.toThrow(
    "unavailable",
  );
  expect(await debtOf(moved)).toMatchObject({ amount: "500.00" });
});

test("a paid debt stays paid if the service refuses the next move", async () => {
  const { giver, settle, sees, debtOf } = await open();
  await settle(KEPT);
  const paid = record("active", "2026-11-28", "2026-12-28");
  await sees(moved);
  await sees(paid);
  const before = record("due", "2026-11-28", "2026-12-28");
  await sees(before);
  for (const failure of [REFUSED, LATER]) {
    const move = { before, day: "2027-01-04", settlement: KEPT };
    await expect(
      moveBillingDateWithSettlement(pool, giver, move, failing(failure)),
    ).rejects.toThrow(failure.kind);
    expect(await debtOf(before)).toBeNull();
  }
  // The settlement of the next move covers only that move's amount.
  await settle(KEPT, before);
  expect(await debtOf(record("active", "2026-11-28", "2027-01-28"))).toMatchObject({
    amount: "500.00",
    since: "2026-12-28",
  });
});

test("a move that failed after a lost response leaves the earlier debt unchanged", async () => {
  const { giver, settle, debtOf } = await open();
  await settle(KEPT);
  const move = { before: dueAgain, day: "2026-12-05", settlement: KEPT };
  await expect(moveBillingDateWithSettlement(pool, giver, move, failing(LOST))).rejects.toThrow(
    "unavailable",
  );
  await settle(KEPT, dueAgain);
  expect(await debtOf(record("active", "2026-10-21", "2026-12-05"))).toMatchObject({
    amount: "1000.00",
    since: "2026-11-21",
  });
});

test("a payment in the search index settles a kept debt, but another move of the date does not", async () => {
  const { settle, sees, debtOf } = await open();
  await settle(KEPT);
  await sees(moved);
  await sees(record("active", "2026-10-21", "2026-12-05"));
  const paid = record("active", "2026-11-28", "2026-12-28");
  expect(await debtOf(paid)).not.toBeNull();
  await sees(paid);
  expect(await debtOf(paid)).toBeNull();
});

test("a payment known by a delivery and by the search index settles only one kept debt", async () => {
  const { owner, settle, sees, debtOf } = await open();
  await settle(KEPT);
  await settle(KEPT, dueAgain);
  const paid = record("active", "2026-11-28", "2026-12-28");
  expect(await debtOf(paid)).toMatchObject({ amount: "1000.00", since: "2026-11-21" });
  await sees(dueAgain, paid);
  await pool.query(
    `insert into received_delivery (seller_id, mode, delivery_id, verdict, event,
            subscription_id, body, received_at)
     values ($1, $2, 'told', 'verified', 'checkout.succeeded', 's-1', '{}', '2026-11-30')`,
    [owner.seller_id, owner.mode],
  );
  expect(await debtOf(paid)).toMatchObject({ amount: "500.00" });
  const next = record("active", "2026-12-28", "2027-01-28");
  await sees(next);
  expect(await debtOf(next)).toBeNull();
});

test("a delivery for a payment before the debt, received after it, does not settle the debt", async () => {
  const { owner, settle, sees, debtOf } = await open();
  await sees(record("due", "2026-09-21", "2026-10-21"));
  await settle(KEPT);
  await sees(moved);
  await pool.query(
    `insert into received_delivery (seller_id, mode, delivery_id, verdict, event,
            subscription_id, body, received_at)
     values ($1, $2, 'late', 'verified', 'checkout.succeeded', 's-1', '{}', '2026-10-21')`,
    [owner.seller_id, owner.mode],
  );
  expect(await debtOf(moved)).toMatchObject({ amount: "500.00" });
});

test("a kept debt can be waived once, with a reason", async () => {
  const { giver, settle, debtOf } = await open();
  await settle(KEPT);
  const reason = { reason: "goodwill", words: "" } as const;
  expect(await waiveDebt(pool, giver, moved, reason)).toMatchObject({ amount: "500.00" });
  expect(await debtOf(moved)).toBeNull();
  await expect(waiveDebt(pool, giver, moved, reason)).rejects.toThrow("not_found");
});

test("a kept debt survives the clearing of the search index, and no other seller or mode can read it", async () => {
  const { owner, giver, settle, sees, debtOf } = await open();
  await settle(KEPT);
  await settle(KEPT, dueAgain);
  const paid = record("active", "2026-11-28", "2026-12-28");
  await sees(paid);
  await pool.query("select clear_mirror($1, $2)", [owner.seller_id, owner.mode]);
  expect(await debtOf(paid)).toMatchObject({ amount: "500.00" });
  const other = await createIndexedSeller(pool, { subscriptions: [moved] });
  for (const whose of [other, { ...owner, mode: "live" as const }])
    expect(await readDebt(pool, { ...giver, owner: whose }, paid)).toBeNull();
});
