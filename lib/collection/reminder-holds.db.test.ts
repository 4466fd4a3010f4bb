import { expect, test } from "vitest";
import type { HoldReminders, ReminderHold } from "#contract/reminders.ts";
import { AppError } from "#lib/failure.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createIndexedSeller } from "#tools/testing/fixtures/records-fixture.ts";
import { createPerson } from "#tools/testing/person.ts";
import { saveContact, undoContact, type Actor, type NewContact } from "./contacts-store.ts";
import { sendHolds } from "./reminder-holds.ts";

useDashboardDatabase();

const ID = "sub-1";
const CYCLE = "2026-11-20T00:00:00.000Z";

/** A service that stores holds, and can be unavailable. */
function createHolder() {
  const told: Partial<HoldReminders>[] = [];
  let hold: ReminderHold | null = null;
  let isAway = false;
  const answer = <Value>(value: Value) =>
    isAway
      ? Promise.reject(new AppError({ kind: "unavailable", outcome_unknown: true }))
      : Promise.resolve(value);
  const made = (until: string | undefined): ReminderHold => ({
    id: 7,
    subscription_id: ID,
    until: until ?? null,
    step_id: null,
    only_this_period: true,
    created_at: CYCLE,
  });
  return {
    told,
    setAway: (is: boolean) => void (isAway = is),
    until: () => hold?.until ?? null,
    client: {
      holdReminders: async (body: Partial<HoldReminders>) => {
        const next = await answer(made(body.until));
        told.push(body);
        return (hold = next);
      },
      listHolds: () => answer({ results: hold ? [hold] : [] }),
      removeHold: async () => {
        const ended = await answer(made(undefined));
        hold = null;
        return ended;
      },
    },
  };
}

async function someone({ hasAccount = true } = {}): Promise<Actor> {
  const owner = await createIndexedSeller(pool);
  const { id } = await createPerson(pool);
  if (hasAccount)
    await pool.query(
      `insert into billing_account (seller_id, mode, sealed_key, key_id, account_id)
       values ($1, $2, '\\x00', 'key', 1)`,
      [owner.seller_id, owner.mode],
    );
  return { ...owner, person_id: id, person_name: "Asha" };
}

const save = async (asha: Actor, contact: Pick<NewContact, "kind" | "detail">) => {
  const saved = await saveContact(pool, asha, {
    subscription_id: ID,
    cycle: CYCLE,
    ...contact,
  });
  if (saved.state !== "kept") throw new Error("overtaken");
  return saved.contact;
};
const promise = (asha: Actor, promised_for: string | null) =>
  save(asha, { kind: "promise", detail: { promised_for } });
const snooze = (asha: Actor, snoozed_until: string | null) =>
  save(asha, { kind: "snooze", detail: { snoozed_until } });

const waiting = async ({ seller_id, mode }: Actor) => {
  const { rows } = await pool.query<{ until: string | null; tries: number }>(
    "select until::text, tries from hold_to_tell where seller_id = $1 and mode = $2",
    [seller_id, mode],
  );
  return rows;
};
const letTimePass = ({ seller_id }: Actor) =>
  pool.query(
    `update hold_to_tell set next_at = next_at - interval '2 hours',
       claimed_until = claimed_until - interval '2 hours' where seller_id = $1`,
    [seller_id],
  );

test("a promise stops reminders until the day after the promised day, and a longer snooze until the snooze ends", async () => {
  const asha = await someone();
  const service = createHolder();
  await promise(asha, "2026-12-01");
  await sendHolds(pool, asha, service.client, ID);
  expect(service.told).toEqual([
    { subscription_id: ID, until: "2026-12-02", only_this_period: true },
  ]);
  await snooze(asha, "2026-12-20");
  await sendHolds(pool, asha, service.client, ID);
  expect(service.until()).toBe("2026-12-20");
  await snooze(asha, null);
  await sendHolds(pool, asha, service.client, ID);
  expect(service.until()).toBe("2026-12-02");
  expect(await waiting(asha)).toEqual([]);
});

test("withdrawing or undoing a promise ends the hold on reminders", async () => {
  const asha = await someone();
  const service = createHolder();
  const contact = await promise(asha, "2026-12-01");
  await sendHolds(pool, asha, service.client, ID);
  await undoContact(pool, asha, contact.id);
  await sendHolds(pool, asha, service.client, ID);
  expect(service.until()).toBeNull();
  await promise(asha, "2026-12-05");
  await promise(asha, null);
  await sendHolds(pool, asha, service.client, ID);
  expect([service.until(), service.told.length]).toEqual([null, 1]);
});

test("a promise is stored while the service is unavailable, and its hold on reminders is sent later", async () => {
  const asha = await someone();
  const service = createHolder();
  service.setAway(true);
  await promise(asha, "2026-12-01");
  await sendHolds(pool, asha, service.client, ID);
  expect(await waiting(asha)).toEqual([{ until: "2026-12-02", tries: 1 }]);
  await sendHolds(pool, asha, service.client);
  expect(await waiting(asha)).toMatchObject([{ tries: 1 }]);
  service.setAway(false);
  await letTimePass(asha);
  await sendHolds(pool, asha, service.client);
  expect(service.until()).toBe("2026-12-02");
  expect(await waiting(asha)).toEqual([]);
});

test("if a second promise is made while the first promise's hold is being sent, the second hold is sent afterwards", async () => {
  const asha = await someone();
  const service = createHolder();
  await promise(asha, "2026-12-01");
  const meanwhile = {
    ...service.client,
    holdReminders: async (body: Partial<HoldReminders>) => {
      await promise(asha, "2026-12-09");
      // The service has not yet answered the first promise.
      await sendHolds(pool, asha, service.client, ID);
      return service.client.holdReminders(body);
    },
  };
  await sendHolds(pool, asha, meanwhile, ID);
  expect(await waiting(asha)).toMatchObject([{ until: "2026-12-10" }]);
  await sendHolds(pool, asha, service.client, ID);
  expect(service.told.map(({ until }) => until)).toEqual(["2026-12-02", "2026-12-10"]);
  expect(await waiting(asha)).toEqual([]);
});

test("notes, and promises without a billing account, hold no reminders, and holds reach only their own seller's service", async () => {
  const asha = await someone();
  const service = createHolder();
  await save(asha, { kind: "note", detail: { text: "Called" } });
  expect(await waiting(asha)).toEqual([]);
  const elsewhere = await someone({ hasAccount: false });
  await promise(elsewhere, "2026-12-01");
  expect(await waiting(elsewhere)).toEqual([]);
  await promise(asha, "2026-12-01");
  await sendHolds(pool, await someone(), service.client);
  expect(service.told).toEqual([]);
});

test("a hold is not sent again if the service has no reminders", async () => {
  const asha = await someone();
  await promise(asha, "2026-12-01");
  const refuses = () => Promise.reject(new AppError({ kind: "not_found" }));
  const client = { ...createHolder().client, holdReminders: refuses };
  await sendHolds(pool, asha, client, ID);
  expect(await waiting(asha)).toEqual([]);
});
