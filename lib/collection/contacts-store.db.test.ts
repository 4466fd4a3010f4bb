import { expect, test } from "vitest";
import { failureOf } from "#lib/failure.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "#tools/testing/fixtures/records-fixture.ts";
import { createPerson } from "#tools/testing/person.ts";
import type { Contact } from "./rules.ts";
import {
  saveContact,
  readContactSummary,
  readContacts,
  readUsualChannel,
  undoContact,
  type SavedContact,
  type NewContact,
  type Actor,
} from "./contacts-store.ts";
import { readGrace, readTeam, saveGrace } from "./settings-store.ts";

useDashboardDatabase();

const CYCLE = "2026-11-20T00:00:00.000Z";
const ID = "sub-1";

async function join(owner: Pick<Actor, "seller_id" | "mode">, name: string): Promise<Actor> {
  const { id } = await createPerson(pool);
  await pool.query("update app_user set name = $2 where id = $1", [id, name]);
  await pool.query(
    "insert into membership (user_id, seller_id, role) values ($1, $2, 'support')",
    [id, owner.seller_id],
  );
  return { ...owner, person_id: id, person_name: name };
}

const someone = async (name = "Asha") => join(await createIndexedSeller(pool), name);

const keep = (worker: Actor, contact: Partial<NewContact> = {}) =>
  saveContact(pool, worker, {
    subscription_id: ID,
    kind: "reminder",
    channel: "whatsapp",
    cycle: CYCLE,
    ...contact,
  });

function kept(result: SavedContact): Contact {
  if (result.state !== "kept") throw new Error("overtaken");
  return result.contact;
}

const stateOf = async ({ seller_id, mode }: Actor) =>
  (await readContactSummary(pool, { seller_id, mode }, [{ id: ID, cycle: CYCLE }]))(ID);

test("a buyer's contacts are listed newest first, and summed up with language, assigned member and note", async () => {
  const asha = await someone();
  const maya = await join(asha, "Maya");
  await keep(asha, { language: "ne" });
  await keep(maya, { channel: "sms", language: "en" });
  await keep(maya, {
    kind: "assign",
    channel: null,
    detail: { assigned_to: asha.person_id, assigned_name: "Asha" },
  });
  await keep(asha, { kind: "note", channel: "call", detail: { text: "दिउँसो" } });
  const contacts = await readContacts(pool, asha, ID);
  expect(contacts.map(({ kind, person_name }) => [kind, person_name])).toEqual([
    ["note", "Asha"],
    ["assign", "Maya"],
    ["reminder", "Maya"],
    ["reminder", "Asha"],
  ]);
  expect(await stateOf(asha)).toMatchObject({
    reminders: 2,
    language: "en",
    assigned: { id: asha.person_id, name: "Asha" },
    last: { channel: "call", person: { name: "Asha" } },
    note: { text: "दिउँसो", name: "Asha" },
  });
  expect(await readUsualChannel(pool, maya)).toBe("sms");
  // Buyers assigned to a former member count as unassigned.
  await pool.query("delete from membership where user_id = $1", [asha.person_id]);
  expect((await stateOf(maya)).assigned).toBeNull();
});

test("a contact can be undone only by its author, and an undone promise no longer counts", async () => {
  const asha = await someone();
  const maya = await join(asha, "Maya");
  await keep(asha);
  const promise = kept(
    await keep(asha, {
      kind: "promise",
      channel: null,
      detail: { promised_for: "2026-12-01" },
    }),
  );
  expect((await stateOf(asha)).promised_for).toBe("2026-12-01");
  const refusal = await undoContact(pool, maya, promise.id).catch(
    (error: unknown) => failureOf(error).kind,
  );
  expect(refusal).toBe("not_found");
  await undoContact(pool, asha, promise.id);
  expect(await stateOf(asha)).toMatchObject({ promised_for: null, reminders: 1 });
  const again = await undoContact(pool, asha, promise.id).catch(
    (error: unknown) => failureOf(error).kind,
  );
  expect(again).toBe("not_found");
  expect((await readContacts(pool, asha, ID))[0]?.undone_at).toEqual(expect.any(String));
});

test("contacts cannot be changed, and are deleted only with their seller", async () => {
  const asha = await someone();
  const { id } = kept(await keep(asha));
  const change = (sql: string) => pool.query(sql, [id]);
  await expect(change("delete from contact where id = $1")).rejects.toThrow("append-only");
  await expect(change("update contact set kind = 'note' where id = $1")).rejects.toThrow();
  await expect(
    change(
      "update contact set undone_at = now(), undone_by = person_id, at = now() where id = $1",
    ),
  ).rejects.toThrow("append-only");
  // Contacts stay when the connection, and with it the index, is deleted.
  await pool.query("delete from billing_connection where seller_id = $1", [asha.seller_id]);
  expect(await readContacts(pool, asha, ID)).toHaveLength(1);
  await pool.query("delete from membership where seller_id = $1", [asha.seller_id]);
  await pool.query("delete from seller where id = $1", [asha.seller_id]);
  expect(await readContacts(pool, asha, ID)).toEqual([]);
  expect(await stateOf(asha)).toMatchObject({ reminders: 0 });
});

test("if two members remind a buyer at once, the second member gets a conflict with the first contact", async () => {
  const asha = await someone();
  const maya = await join(asha, "Maya");
  const both = await Promise.all([
    keep(asha, { seen: null }),
    keep(maya, { seen: null, channel: "viber" }),
  ]);
  expect(both.map(({ state }) => state).toSorted()).toEqual(["kept", "overtaken"]);
  const [first] = await readContacts(pool, asha, ID);
  const overtaken = both.find((one) => one.state === "overtaken");
  expect(overtaken).toMatchObject({ last: { id: first?.id } });
  // A user who saw the colleague's contact can still write.
  const seen = first?.id ?? null;
  const other = first?.person_id === asha.person_id ? maya : asha;
  expect(await keep(other, { seen })).toMatchObject({ state: "kept" });
  expect(await stateOf(asha)).toMatchObject({ reminders: 2 });
  // The user's own last message is no conflict.
  expect(await keep(other, { seen: null })).toMatchObject({ state: "kept" });
});

test("reminders that are logged at the same time are all counted", async () => {
  const asha = await someone();
  await Promise.all(Array.from({ length: 20 }, () => keep(asha)));
  expect(await stateOf(asha)).toMatchObject({ reminders: 20 });
});

test("the grace period is estimated from ended subscriptions, and a member can set and unset another", async () => {
  const asha = await someone();
  const { seller_id, mode } = asha;
  const owner = { seller_id, mode };
  const end = async (days: number) => {
    const record = makeSubscription({
      status: "due",
      next_billing_cycle: new Date(Date.now() - (days + 1) * 86_400_000).toISOString(),
    });
    await storeRecords(pool, owner, { subscriptions: [record] });
    await storeRecords(pool, owner, { subscriptions: [{ ...record, status: "inactive" }] });
  };
  await end(5);
  await end(5);
  const grace = () => readGrace(pool, owner, "UTC");
  expect(await grace()).toEqual({ set: null, guess: null, is_in_account: false });
  await end(9);
  expect(await grace()).toMatchObject({ set: null, guess: 5 });
  expect(await saveGrace(pool, seller_id, 10)).toBe(true);
  expect(await grace()).toMatchObject({ set: 10, guess: 5 });
  await saveGrace(pool, seller_id, null);
  expect(await grace()).toMatchObject({ set: null, guess: 5 });
});

test("the grace period of an account that Duebook opened cannot be set in the dashboard's database", async () => {
  const { seller_id } = await createIndexedSeller(pool);
  await saveGrace(pool, seller_id, 7);
  await pool.query(
    `insert into billing_account (seller_id, mode, sealed_key, key_id, account_id)
     values ($1, 'test', '', '', 1)`,
    [seller_id],
  );
  expect(await saveGrace(pool, seller_id, 10)).toBe(false);
  const grace = await readGrace(pool, { seller_id, mode: "test" }, "UTC");
  expect(grace).toEqual({ set: 7, guess: null, is_in_account: true });
});

test("a contact is dated by the sandbox clock", async () => {
  const asha = await someone();
  const clock_at = new Date(Date.now() + 30 * 86_400_000).toISOString();
  const contact = kept(await keep(asha, { clock_at }));
  expect(contact.at).toBe(clock_at);
  expect((await stateOf(asha)).last?.at).toBe(clock_at);
  expect((await readContacts(pool, asha, ID))[0]?.at).toBe(clock_at);
  await undoContact(pool, asha, contact.id);
  expect((await stateOf(asha)).last).toBeNull();
});

test("a buyer cannot be assigned to a member with the role viewer", async () => {
  const asha = await someone();
  const maya = await join(asha, "Maya");
  await pool.query("update membership set role = 'viewer' where user_id = $1", [
    maya.person_id,
  ]);
  expect(await readTeam(pool, asha)).toEqual([{ id: asha.person_id, name: "Asha" }]);
});
