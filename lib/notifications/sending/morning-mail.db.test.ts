import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { dayInZone } from "#lib/format/format.ts";
import { database as ownPool } from "#lib/db/pool.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import {
  createActor,
  daysFromNow,
  dueSubscription,
  storeContact,
  storeReceivedDelivery,
} from "#tools/testing/fixtures/collection-fixture.ts";
import {
  createNoonSeller,
  createToldMember,
  noonZone,
} from "#tools/testing/fixtures/notice-fixture.ts";
import { database, pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { stubEnvironment } from "#tools/testing/person.ts";
import { startMailbox } from "#tools/testing/servers/mailbox.ts";
import { readUnsubscribeToken } from "../unsubscribe.ts";
import { switchOffMail } from "../store.ts";
import { claimNotices } from "./outbox.ts";
import { queueDatabaseEvents } from "./events.ts";
import { sendNotices } from "./send-notices.ts";

useDashboardDatabase();
let mailbox: Awaited<ReturnType<typeof startMailbox>>;
let owner: KeyOwner;

beforeAll(async () => {
  mailbox = await startMailbox();
  stubEnvironment({
    DATABASE_URL: database.url,
    BILLING_SANDBOX_API_URL: "http://127.0.0.1:9",
    NEXTAUTH_URL: "https://desk.example",
    ...mailbox.settings,
  });
});
afterAll(async () => {
  await ownPool().end();
  vi.unstubAllEnvs();
  await mailbox.close();
});

const today = (days: number) => dayInZone(daysFromNow(days), noonZone());

beforeEach(async () => {
  mailbox.received.length = 0;
  const records = [
    dueSubscription(3, "Kabita Rai"),
    dueSubscription(0, "Maya Thapa"),
    dueSubscription(4, "Hari Lama"),
    dueSubscription(2, "Gita Shah"),
  ];
  owner = await createNoonSeller(records);
  const worker = await createActor(owner);
  const [, , promised, broken] = records;
  if (!promised || !broken) throw new Error("there is no record");
  await storeContact(worker, promised, { kind: "promise", detail: { promised_for: today(0) } });
  await storeContact(worker, broken, { kind: "promise", detail: { promised_for: today(-1) } });
  await storeReceivedDelivery(owner, records[0]?.subscription_id ?? "");
});

const mailsTo = ({ email }: { email: string }) =>
  mailbox.received
    .filter(({ to }) => to.toLowerCase() === email.toLowerCase())
    .map(({ text }) => text);

test("the morning mail has the counts of the desk, with links to their lists, and no buyer names", async () => {
  const asha = await createToldMember(owner, "viewer", { mail: ["morning"] });
  await sendNotices(pool, owner);
  const [mail = "", ...more] = mailsTo(asha);
  expect(more).toEqual([]);
  const { rows } = await pool.query<{ code: string }>("select code from seller where id = $1", [
    owner.seller_id,
  ]);
  const desk = `https://desk.example/${rows[0]?.code}/test`;
  expect(mail).toContain("Subject: Test mode: Today at Phewa");
  for (const [line, path] of [
    ["Due: 4", "/collection?group=due"],
    ["Promised for today: 1", "/collection?show=today"],
    ["Missed promises: 1", "/collection?show=broken"],
    ["Failed payments: 1", "/collection?group=failed"],
  ])
    expect(mail).toContain(`${line}\r\n${desk}${path}\r\n`);
  expect(mail).not.toMatch(/Kabita|Maya|Hari|Gita|98\d{8}/);
  expect(mail).not.toContain("webhook");
});

test("the morning mail has the count of money to check only for members who may see payments", async () => {
  const asha = await createToldMember(owner, "support", { mail: ["morning"] });
  await pool.query(
    `insert into contact (seller_id, mode, subscription_id, person_id, person_name, kind, detail)
     values ($1, $2, 'sub-1', $3, 'Asha', 'says_paid', '{"amount": "1.00", "currency": "NPR"}')`,
    [owner.seller_id, owner.mode, asha.id],
  );
  const viewer = await createToldMember(owner, "viewer", { mail: ["morning"] });
  await sendNotices(pool, owner);
  expect(mailsTo(asha)[0]).toMatch(/^Money to look at: 1\r\n\S+\/test\/collection\r$/m);
  expect(mailsTo(viewer)[0]).not.toContain("Money");
});

test("an admin reads in the morning mail that the webhook endpoints could not be counted", async () => {
  const asha = await createToldMember(owner, "admin", { mail: ["morning"] });
  await sendNotices(pool, owner);
  expect(mailsTo(asha)[0]).toContain(
    "Failing webhook endpoints: unknown, the billing service did not answer",
  );
});

test("the morning mail is in the member's language", async () => {
  const asha = await createToldMember(owner, "viewer", { mail: ["morning"] });
  await pool.query("update app_user set language = 'ne' where id = $1", [asha.id]);
  await sendNotices(pool, owner);
  expect(mailsTo(asha)[0]).toContain("Phewa को बिहानको सूची");
});

test("several workers send a member one morning mail a day, and none before the chosen time", async () => {
  const asha = await createToldMember(owner, "viewer", { mail: ["morning"] });
  const later = await createToldMember(owner, "viewer", {
    mail: ["morning"],
    morning_at: "23:00",
  });
  await Promise.all([1, 2, 3].map(() => sendNotices(pool, owner)));
  await sendNotices(pool, owner);
  expect(mailsTo(asha)).toHaveLength(1);
  expect(mailsTo(later)).toEqual([]);
});

test("a member who switches the morning mail on after the chosen time gets no mail that day", async () => {
  const asha = await createToldMember(owner, "viewer", { mail: ["morning"] });
  await pool.query("update notice_choice set since = now()");
  await sendNotices(pool, owner);
  expect(mailsTo(asha)).toEqual([]);
});

test("a notice that a crashed process had claimed is not sent again", async () => {
  const asha = await createToldMember(owner, "viewer", { mail: ["morning"] });
  await queueDatabaseEvents(pool, owner);
  expect(await claimNotices(pool, owner)).toHaveLength(1);
  await sendNotices(pool, owner);
  expect(mailsTo(asha)).toEqual([]);
});

test("a member who left, lacks a required second factor or switched the mail off gets no morning mail", async () => {
  const left = await createToldMember(owner, "viewer", { mail: ["morning"] });
  const off = await createToldMember(owner, "viewer", { mail: ["morning"] });
  const unready = await createToldMember(owner, "viewer", { mail: ["morning"] });
  await queueDatabaseEvents(pool, owner);
  await pool.query("delete from membership where user_id = $1", [left.id]);
  await pool.query(
    `delete from notice_choice using notice_setting s where s.id = setting_id and user_id = $1`,
    [off.id],
  );
  await pool.query("update seller set demands_second_factor = true where id = $1", [
    owner.seller_id,
  ]);
  await sendNotices(pool, owner);
  for (const person of [left, off, unready]) expect(mailsTo(person)).toEqual([]);
});

test("the unsubscribe link of a morning mail switches off only this kind of mail", async () => {
  const asha = await createToldMember(owner, "admin", { mail: ["morning", "endpoint_off"] });
  await sendNotices(pool, owner);
  const mail = mailsTo(asha)[0]?.replaceAll(/\r\n[ \t]+/g, " ") ?? "";
  const token = /^List-Unsubscribe: <https:\/\/desk\.example\/api\/unsubscribe\/([^>]+)>/m.exec(
    mail,
  )?.[1];
  expect(mail).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click");
  const read = readUnsubscribeToken(token ?? "");
  expect(read?.kind).toBe("morning");
  expect(readUnsubscribeToken(token?.replace("morning", "payment") ?? "")).toBeNull();
  expect(readUnsubscribeToken("")).toBeNull();
  if (read) await switchOffMail(pool, read);
  const { rows } = await pool.query(
    `select kind from notice_choice c join notice_setting s on s.id = c.setting_id
      where s.user_id = $1`,
    [asha.id],
  );
  expect(rows).toEqual([{ kind: "endpoint_off" }]);
});

test("a mail that the mail server refuses is retried later, and fails after three attempts", async () => {
  const asha = await createToldMember(owner, "viewer", { mail: ["morning"] });
  await pool.query("update app_user set email = 'refused@example.com' where id = $1", [
    asha.id,
  ]);
  mailbox.refuse("refused@example.com");
  const stateOf = async () => {
    const { rows } = await pool.query<{ state: string; attempts: number }>(
      `select n.state, attempts from notice n join notice_setting s on s.id = n.setting_id
        where s.user_id = $1`,
      [asha.id],
    );
    return rows[0];
  };
  for (const attempts of [1, 2]) {
    await sendNotices(pool, owner);
    await sendNotices(pool, owner);
    await expect(stateOf()).resolves.toEqual({ state: "queued", attempts });
    await pool.query("update notice set due_at = now()");
  }
  await sendNotices(pool, owner);
  await expect(stateOf()).resolves.toEqual({ state: "failed", attempts: 3 });
});
