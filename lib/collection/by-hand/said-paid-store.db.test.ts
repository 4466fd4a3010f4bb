import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createIndexedSeller } from "#tools/testing/fixtures/records-fixture.ts";
import { createPerson } from "#tools/testing/person.ts";
import { saveContact, undoContact, type Actor, type NewContact } from "../contacts-store.ts";
import { readSaidPaid } from "./said-paid-store.ts";

useDashboardDatabase();

const DETAIL = {
  amount: "1130.00",
  currency: "NPR",
  method: "cash",
  reference: "Book 12",
  received_on: "2026-11-20",
};

async function someone(): Promise<Actor> {
  const { id } = await createPerson(pool);
  return { ...(await createIndexedSeller(pool)), person_id: id, person_name: "Asha" };
}

async function keep(asha: Actor, contact: Pick<NewContact, "kind" | "detail">) {
  const about = { subscription_id: "sub-1", cycle: null };
  const saved = await saveContact(pool, asha, { ...about, ...contact });
  if (saved.state !== "kept") throw new Error("overtaken");
  return saved.contact.id;
}

test("a note that a buyer claims to have paid is listed until a member checks or undoes the note", async () => {
  const asha = await someone();
  const first = await keep(asha, { kind: "says_paid", detail: DETAIL });
  const second = await keep(asha, { kind: "says_paid", detail: { ...DETAIL, reference: "" } });
  const waiting = async () => (await readSaidPaid(pool, asha)).map(({ id }) => id);
  expect(await readSaidPaid(pool, asha, { id: first })).toMatchObject([
    { ...DETAIL, id: first, person_name: "Asha", buyer: null },
  ]);
  expect(await waiting()).toEqual([first, second]);
  expect(await readSaidPaid(pool, asha, { subscription_id: "sub-2" })).toEqual([]);
  const check = await keep(asha, { kind: "paid_checked", detail: { of: first, found: true } });
  expect(await waiting()).toEqual([second]);
  await undoContact(pool, asha, check);
  expect(await waiting()).toEqual([first, second]);
  await undoContact(pool, asha, second);
  expect(await waiting()).toEqual([first]);
});
