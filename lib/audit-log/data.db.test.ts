import { expect, test } from "vitest";
import { writeAudit, type AuditEntry } from "#lib/auth/guards/write-audit.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import { translatorOf } from "#tools/testing/messages.ts";
import { countPagesRead } from "#tools/testing/pages-read.ts";
import {
  readAuditBuyerNames,
  readSeenChanges,
  selectAuditEntries,
  selectAuditPeople,
  type AuditOwner,
} from "./data.ts";
import { parseAuditSearch, type AuditSearch } from "./search.ts";

useDashboardDatabase();
const t = translatorOf("audit");

async function createPerson(name: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    "insert into app_user (email, name, password_hash) values ($1 || gen_random_uuid(), $1, '') returning id",
    [name],
  );
  return rows[0]?.id ?? "";
}

const newOwner = (): AuditOwner => ({
  seller_id: crypto.randomUUID(),
  mode: "test",
  time_zone: "Asia/Kathmandu",
});

const write = (
  owner: AuditOwner,
  user_id: string,
  entry: Partial<AuditEntry> & { action: string },
) => {
  const { seller_id, mode } = owner;
  return writeAudit(pool, { seller_id, mode, user_id, result: "done", ...entry });
};

const read = (owner: AuditOwner, search: Partial<AuditSearch> = {}, limit = 100) =>
  selectAuditEntries(pool, t, owner, { ...parseAuditSearch({}), ...search }, limit);

const actionsOf = async (owner: AuditOwner, search: Partial<AuditSearch> = {}) =>
  (await read(owner, search)).map(({ action }) => action);

test("audit entries keep a person's name after the account is renamed or deleted", async () => {
  const owner = newOwner();
  const [maya, asha] = [await createPerson("Maya"), await createPerson("Asha")];
  await write(owner, maya, { action: "team.remove", detail: { member: asha } });
  await pool.query("delete from app_user where id = $1", [asha]);
  await pool.query("update app_user set name = 'Maya Rai' where id = $1", [maya]);
  await write(owner, maya, { action: "team.invite" });
  expect(await read(owner)).toMatchObject([
    { action: "team.invite", user_name: "Maya Rai" },
    { action: "team.remove", user_name: "Maya", member_name: "Asha" },
  ]);
  expect(await selectAuditPeople(pool, owner.seller_id)).toEqual([
    { user_id: maya, user_name: "Maya Rai" },
  ]);
});

test("audit entries show names from the search index only of buyers of the same seller and mode", async () => {
  const kiran = makeSubscription({ client: { full_name: "Kiran Regmi" } });
  const nameless = makeSubscription({ client: { full_name: "", phone: "9800000001" } });
  const owner = await createIndexedSeller(pool, { subscriptions: [kiran, nameless] });
  const acts = [kiran, nameless, { subscription_id: "of nobody" }, { subscription_id: null }];
  expect([...(await readAuditBuyerNames(pool, owner, acts)).values()].toSorted()).toEqual([
    "9800000001",
    "Kiran Regmi",
  ]);
  expect(await readAuditBuyerNames(pool, { ...owner, mode: "live" }, acts)).toEqual(new Map());
  expect(await readAuditBuyerNames(pool, await createIndexedSeller(pool), acts)).toEqual(
    new Map(),
  );
});

test("the audit entry of a failed action on a person of another team does not reveal the person's name", async () => {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Phewa', 'UTC') returning id",
  );
  const owner = { ...newOwner(), seller_id: rows[0]?.id ?? "" };
  const [maya, asha, stranger] = [
    await createPerson("Maya"),
    await createPerson("Asha"),
    await createPerson("Stranger"),
  ];
  await pool.query(
    "insert into membership (user_id, seller_id, role) values ($1, $2, 'admin')",
    [asha, owner.seller_id],
  );
  for (const member of [asha, stranger])
    await write(owner, maya, { action: "team.remove", result: "failed", detail: { member } });
  expect((await read(owner)).map(({ member_name }) => member_name)).toEqual([null, "Asha"]);
});

test("the audit log of a mode has the entries of that mode and of both modes, and none of other sellers", async () => {
  const [owner, other] = [newOwner(), newOwner()];
  const maya = await createPerson("Maya");
  await write(owner, maya, { action: "connection.remove", mode: "live" });
  await write(owner, maya, { action: "connection.set" });
  await write(owner, maya, { action: "team.invite", mode: null });
  await write(other, maya, { action: "seller.update" });
  expect(await actionsOf(owner)).toEqual(["team.invite", "connection.set"]);
  const live: AuditOwner = { ...owner, mode: "live" };
  expect(await actionsOf(live)).toEqual(["team.invite", "connection.remove"]);
});

test("the audit log is filtered by person, result, action and subscription, and read page by page", async () => {
  const owner = newOwner();
  const [maya, asha] = [await createPerson("Maya"), await createPerson("आशा")];
  await write(owner, maya, { action: "subscription.create", subscription_id: "sub-1" });
  await write(owner, asha, { action: "subscription.cancel", subscription_id: "sub-1" });
  await write(owner, asha, {
    action: "team.invite",
    result: "refused",
    detail: { role: "admin" },
  });
  expect(await actionsOf(owner, { person: maya })).toEqual(["subscription.create"]);
  expect(await actionsOf(owner, { result: "refused" })).toEqual(["team.invite"]);
  expect(await actionsOf(owner, { action: "subscription.cancel" })).toHaveLength(1);
  expect(await actionsOf(owner, { subscription: "sub-1" })).toHaveLength(2);
  const [newest, second] = await read(owner, {}, 2);
  expect(newest?.action).toBe("team.invite");
  expect(await actionsOf(owner, { before: second?.id ?? "" })).toEqual(["subscription.create"]);
  expect(await actionsOf(newOwner(), { before: second?.id ?? "" })).toEqual([]);
});

test.each([
  ["आशा", 1],
  ["sub-9 cancel", 1],
  ["ADMIN", 1],
  ["cancelled a sub", 1],
  ["%", 0],
  ["_", 0],
  ["' or true --", 0],
  ["sub-9 nobody", 0],
])("an audit log search for %o finds %i entries", async (q, count) => {
  const owner = newOwner();
  const asha = await createPerson("आशा");
  const detail = { role: "admin" };
  await write(owner, asha, { action: "subscription.cancel", subscription_id: "sub-9", detail });
  expect(await read(owner, { q })).toHaveLength(count);
});

test("the audit log's date filter uses days of the seller's time zone", async () => {
  const owner = newOwner();
  const maya = await createPerson("Maya");
  // 18:15 UTC is midnight in Kathmandu.
  for (const at of ["2026-11-19T18:14:59Z", "2026-11-19T18:15:00Z", "2026-11-20T18:15:00Z"])
    await pool.query(
      `insert into audit_log (seller_id, mode, user_id, action, result, at)
       values ($1, 'test', $2, $3::text, 'done', $3::timestamptz)`,
      [owner.seller_id, maya, at],
    );
  const day = "2026-11-20";
  expect(await actionsOf(owner, { from: day, to: day })).toEqual(["2026-11-19T18:15:00Z"]);
});

test("a page of 100,000 audit entries reads fewer than 1,000 database pages, at any position and with filters", async () => {
  const owner = newOwner();
  await pool.query(
    `insert into audit_log (seller_id, mode, user_id, action, subscription_id, result, at)
     select $1, 'test', ('00000000-0000-4000-8000-' || lpad((n % 7)::text, 12, '0'))::uuid,
            'subscription.create', 'sub-' || n % 999, 'done', now() - n * interval '1 minute'
       from generate_series(1, 100000) n`,
    [owner.seller_id],
  );
  await pool.query("analyze audit_log");
  const { rows } = await pool.query<{ id: string }>(
    "select id from audit_log where seller_id = $1 order by at offset 30000 limit 1",
    [owner.seller_id],
  );
  const person = "00000000-0000-4000-8000-000000000003";
  for (const search of [
    {},
    { before: rows[0]?.id ?? "" },
    { from: "2020-01-01", to: "2020-01-02" },
    { person },
    { subscription: "sub-7" },
    { action: "subscription.create", q: "sub-7" },
  ]) {
    const filter = { ...parseAuditSearch({}), ...search };
    const [count] = await countPagesRead(pool, (db) =>
      selectAuditEntries(db, t, owner, filter, 51),
    );
    expect(count, JSON.stringify(search)).toBeLessThan(1_000);
  }
  const [count] = await countPagesRead(pool, (db) => selectAuditPeople(db, owner.seller_id));
  expect(count).toBeLessThan(100);
});

test("a subscription's history has the changes of status and billing date that were not caused by a payment", async () => {
  const first = makeSubscription({ status: "active" });
  const owner = await createIndexedSeller(pool, { subscriptions: [first, makeSubscription()] });
  const show = (changes: Partial<typeof first>) =>
    storeRecords(pool, owner, { subscriptions: [{ ...first, ...changes }] });
  await show({ next_billing_cycle: "2026-12-09T00:00:00Z" });
  const due = { status: "due", next_billing_cycle: "2026-12-09T00:00:00Z" };
  await show(due);
  await show({ ...due, client: { ...first.client, full_name: "Maya Rai" } });
  await show({
    status: "active",
    current_period_start: "2026-12-09T00:00:00Z",
    next_billing_cycle: "2027-01-09T00:00:00Z",
  });
  const { subscription_id } = first;
  expect(await readSeenChanges(pool, owner, subscription_id)).toMatchObject([
    { old_status: "active", new_status: "due" },
    { new_status: "active", new_next_billing: new Date("2026-12-09T00:00:00Z") },
  ]);
  const live = { ...owner, mode: "live" as const };
  expect(await readSeenChanges(pool, live, subscription_id)).toEqual([]);
});
