import { createTranslator } from "next-intl";
import { beforeEach, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import english from "#lib/i18n/messages/en/export.json" with { type: "json" };
import { findPhonesOf, searchCustomers } from "#lib/search-index/query/search-records.ts";
import { searchSubscriptions } from "#lib/search-index/query/subscription-query.ts";
import { countExport } from "#lib/subscriptions/export/data.ts";
import { searchOfLine } from "#lib/subscriptions/query-line.ts";
import { ALL_SUBSCRIPTIONS } from "#lib/subscriptions/search.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { createIndexedSeller, makeSubscription } from "../testing/fixtures/records-fixture.ts";
import { openCustomerExport } from "#lib/customers/export.ts";
import { addNote, readNotes, removeNote } from "#lib/customers/note-store.ts";
import { MAX_CUSTOMER_TAGS } from "#lib/tags/rules.ts";
import {
  addTag,
  customerKeys,
  deleteTag,
  readTags,
  readTagsOf,
  removeTag,
  renameTag,
} from "#lib/tags/store.ts";

useDashboardDatabase();

const HOME = { time_zone: "Asia/Kathmandu" };
const PERSON = "00000000-0000-4000-8000-000000000001";
const [ASHA, BIR] = ["+977 980-1234567", "9807654321"];
const keys = (phone: string) => customerKeys(phone, HOME);

const customer = (id: number, full_name: string, buyer_phone: string) => ({
  id,
  full_name,
  buyer_phone,
  buyer_email: "",
  created_at: "2026-11-20T00:00:00Z",
});
const records = {
  customers: [customer(1, "Asha Rai", ASHA), customer(2, "Bir Thapa", BIR)],
  subscriptions: [
    // The same number in another spelling.
    makeSubscription({ subscription_id: "asha-1", client: { phone: "०९८०१२३४५६७" } }),
    makeSubscription({ subscription_id: "bir-1", client: { phone: BIR } }),
  ],
};

let owner: KeyOwner;
let other: KeyOwner;

beforeEach(async () => {
  owner = await createIndexedSeller(pool, records);
  other = await createIndexedSeller(pool, records);
});

const page = { page: 1, page_size: 20 };

async function customersWith(who: KeyOwner, words: string, tag: string | null = null) {
  const answer = await searchCustomers(pool, who, words, { ...page, tag });
  return answer.state === "ready" ? answer.results.map(({ id }) => id) : null;
}

async function subscriptionsOf(who: KeyOwner, line: string) {
  const { search, words } = searchOfLine(ALL_SUBSCRIPTIONS, line);
  const question = { search, words, time_zone: "UTC" };
  const answer = await searchSubscriptions(pool, who, question);
  return answer.state === "ready"
    ? answer.results.map(({ subscription_id }) => subscription_id)
    : null;
}

test("a tag filters only its seller's customers and subscriptions, in any spelling of tag and phone number", async () => {
  await addTag(pool, owner, [keys("0980 123 4567")], "Café VIP");
  await addTag(pool, owner, [keys(ASHA)], "CAFE vip");
  expect(await readTags(pool, owner)).toEqual([
    { id: expect.any(String) as string, name: "Café VIP", customers: 1 },
  ]);
  expect((await readTagsOf(pool, owner, [ASHA, BIR]))(ASHA)).toEqual(["Café VIP"]);
  expect(await customersWith(owner, "", "cafe  VIP")).toEqual([1]);
  expect(await customersWith(owner, "bir", "cafe vip")).toEqual([]);
  expect(await customersWith(owner, "", "cafe\0vip")).toEqual([]);
  expect(await subscriptionsOf(owner, 'tag:"café vip"')).toEqual(["asha-1"]);
  const { search } = searchOfLine(ALL_SUBSCRIPTIONS, 'tag:"café vip"');
  const question = { search, words: "", time_zone: "UTC" };
  expect(await countExport(pool, owner, question)).toMatchObject({ count: 1 });

  expect(await readTags(pool, other)).toEqual([]);
  expect(await customersWith(other, "", "cafe vip")).toEqual([]);
  expect(await subscriptionsOf(other, 'tag:"café vip"')).toEqual([]);
  expect((await readTagsOf(pool, other, [ASHA]))(ASHA)).toEqual([]);
  await removeTag(pool, other, [keys(ASHA)], "cafe vip");
  expect(await customersWith(owner, "", "cafe vip")).toEqual([1]);
  await removeTag(pool, owner, [keys("9801234567")], "CAFÉ VIP");
  expect(await subscriptionsOf(owner, 'tag:"café vip"')).toEqual([]);
});

test("a tag is added to the buyers of selected subscriptions, with at most twenty tags per buyer", async () => {
  for (let at = 1; at <= MAX_CUSTOMER_TAGS; at += 1)
    await addTag(pool, owner, [keys(BIR)], `tag ${at}`);
  const phones = await findPhonesOf(pool, owner, ["asha-1", "bir-1", "none"]);
  const people = phones.map(keys);
  expect(people).toHaveLength(2);
  expect(await addTag(pool, owner, people, "one more")).toEqual({ full: 1 });
  expect(await addTag(pool, owner, people, "one more")).toEqual({ full: 1 });
  expect(await subscriptionsOf(owner, 'tag:"one more"')).toEqual(["asha-1"]);
  expect((await readTagsOf(pool, owner, [BIR]))(BIR)).toHaveLength(MAX_CUSTOMER_TAGS);
  expect(await findPhonesOf(pool, other, ["asha-1"])).toHaveLength(1);
});

test("a renamed tag keeps its customers, and renaming it to another tag's name merges the two tags", async () => {
  await addTag(pool, owner, [keys(ASHA)], "late");
  await addTag(pool, owner, [keys(ASHA), keys(BIR)], "slow");
  const [late, slow] = await readTags(pool, owner);
  const id = late?.id ?? "";
  await expect(renameTag(pool, other, id, "mine")).rejects.toThrow();
  await expect(deleteTag(pool, other, id)).rejects.toThrow();
  expect(await renameTag(pool, owner, id, "Late")).toEqual({ is_merged: false });
  expect(await customersWith(owner, "", "late")).toEqual([1]);
  expect(await renameTag(pool, owner, slow?.id ?? "", "LATE")).toEqual({ is_merged: true });
  expect(await readTags(pool, owner)).toEqual([{ id, name: "Late", customers: 2 }]);
  await deleteTag(pool, owner, id);
  expect(await readTags(pool, owner)).toEqual([]);
  expect(await customersWith(owner, "", "late")).toEqual([]);
});

test("a customer is found by the text of a note, and its writer or an admin can remove the note", async () => {
  const writer = { ...owner, person_id: PERSON, person_name: "Mina" };
  const reader = { ...owner, person_id: PERSON, may_remove_all: false };
  await addNote(pool, writer, keys(ASHA), "Pays through her brother's shop, दशैंपछि");
  for (const typed of ["brothers", "broth shop", "दशैं"])
    expect(await customersWith(owner, typed), typed).toEqual([1]);
  expect(await customersWith(owner, "thapa")).toEqual([2]);
  expect(await customersWith(owner, "brothers nowhere")).toEqual([]);
  expect(await customersWith(other, "brothers")).toEqual([]);
  await pool.query(
    `insert into customer_note (seller_id, mode, phone_key, text, person_id, person_name, words)
     select seller_id, mode, (1000000 + n)::text, text, person_id, person_name, words
       from customer_note, generate_series(1, 250) n where seller_id = $1`,
    [owner.seller_id],
  );
  expect(await customersWith(owner, "brothers"), "among many").toEqual([1]);
  const [note] = await readNotes(pool, reader, keys("9801234567"));
  expect(note).toMatchObject({ person_name: "Mina", may_remove: true });
  const id = note?.id ?? "";
  const stranger = { ...reader, person_id: "00000000-0000-4000-8000-000000000002" };
  await expect(removeNote(pool, stranger, id)).rejects.toThrow();
  await expect(removeNote(pool, { ...reader, ...other }, id)).rejects.toThrow();
  await removeNote(pool, { ...stranger, may_remove_all: true }, id);
  expect(await customersWith(owner, "brothers")).toEqual([]);
});

test("an exported file of customers has their tags and notes", async () => {
  await addTag(pool, owner, [keys(ASHA)], "late");
  await addTag(pool, owner, [keys(ASHA)], "=shop");
  const writer = { ...owner, person_id: PERSON, person_name: "Mina" };
  await addNote(pool, writer, keys(ASHA), "First");
  await addNote(pool, writer, keys(ASHA), "Second, longer");
  const t = createTranslator({
    locale: "en",
    messages: { export: english },
    namespace: "export",
  });
  const file = {
    format: "csv" as const,
    time_zone: "UTC",
    t,
    user_id: PERSON,
    mayGoOn: async () => true,
  };
  const asked = { words: "", search: { ...page, tag: "LATE" } };
  const { rows, body } = await openCustomerExport(pool, owner, asked, file);
  expect(rows).toBe(1);
  expect((await new Response(body).text()).split("\r\n")).toEqual([
    "Customer ID,Name,Phone,Email,Created,Tags,Notes",
    '1,Asha Rai,"\'+977 980-1234567",,2026-11-20T00:00:00+00:00,"\'=shop, late","Second, longer\nFirst"',
    "",
  ]);
});
