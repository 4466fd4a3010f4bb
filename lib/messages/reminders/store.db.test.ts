import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { addLanguage, readReminders, removeLanguage, saveReminders } from "./store.ts";
import { DEFAULT_REMINDERS, reminderFor, remindersOf, writtenLanguage } from "./rules.ts";

useDashboardDatabase();

async function newSeller(): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Himal Dairy', 'UTC') returning id",
  );
  return rows[0]?.id ?? "";
}

const any = (body: string) => ({ language: "ne", form: "any", body }) as const;

test("a seller's own text replaces only the default of the same kind, language and form", async () => {
  const seller = await newSeller();
  expect((await readReminders(pool, seller)).reminders).toEqual(remindersOf([]));
  const body = "नमस्ते {name} जी: {link}";
  await saveReminders(pool, seller, { kind: "due", texts: [any("first {link}")] });
  await saveReminders(pool, seller, {
    kind: "due",
    texts: [any(body), { language: "en", form: "subject", body: "Due" }],
  });
  const { reminders: own } = await readReminders(pool, seller);
  expect(reminderFor(own, "due", "ne", "whatsapp")).toBe(body);
  expect(reminderFor(own, "due", "ne", "sms")).toBe(DEFAULT_REMINDERS.due.ne.sms);
  expect(own.due.en).toEqual({ ...DEFAULT_REMINDERS.due.en, subject: "Due" });
  expect(own.soon).toEqual(DEFAULT_REMINDERS.soon);
  expect((await readReminders(pool, await newSeller())).reminders).toEqual(remindersOf([]));
});

test("a text for one channel takes precedence over the text for all channels", async () => {
  const seller = await newSeller();
  await pool.query(
    `insert into reminder_text (seller_id, kind, language, channel, body)
     values ($1, 'soon', 'en', 'viber', 'By Viber {link}')`,
    [seller],
  );
  const { reminders: own } = await readReminders(pool, seller);
  expect(reminderFor(own, "soon", "en", "viber")).toBe("By Viber {link}");
  expect(reminderFor(own, "soon", "en", "mail")).toBe(DEFAULT_REMINDERS.soon.en.any);
});

test("a text equal to the default is not stored, and if one text is invalid, none is stored", async () => {
  const seller = await newSeller();
  const count = async () =>
    (await pool.query("select 1 from reminder_text where seller_id = $1", [seller])).rowCount;
  await saveReminders(pool, seller, { kind: "failed", texts: [any("own {link}")] });
  expect(await count()).toBe(1);
  await saveReminders(pool, seller, {
    kind: "failed",
    texts: [any(DEFAULT_REMINDERS.failed.ne.any)],
  });
  expect(await count()).toBe(0);
  const texts = [any("own {link}"), { language: "en", form: "any", body: "" } as const];
  await expect(saveReminders(pool, seller, { kind: "failed", texts })).rejects.toThrow();
  expect(await count()).toBe(0);
});

test("a seller writes texts in an added language, and removing the language deletes its texts", async () => {
  const seller = await newSeller();
  const maithili = { code: "mai", name: "मैथिली" };
  expect(await addLanguage(pool, seller, maithili)).toBe(true);
  const body = "प्रणाम {name}: {link}";
  const text = { language: "mai", form: "any", body } as const;
  await saveReminders(pool, seller, { kind: "due", texts: [text] });
  const { reminders, languages } = await readReminders(pool, seller);
  expect(languages.map(({ code }) => code)).toEqual(["en", "ne", "mai"]);
  expect(reminderFor(reminders, "due", "mai", "sms")).toBe(body);
  expect(reminderFor(reminders, "due", "mai", "subject")).toBe(
    DEFAULT_REMINDERS.due.en.subject,
  );
  expect(writtenLanguage(reminders, "due", "mai")).toBe("mai");
  expect(writtenLanguage(reminders, "soon", "mai")).toBe("en");
  await removeLanguage(pool, seller, "mai");
  expect(await readReminders(pool, seller)).toMatchObject({ languages: [{}, {}] });
  await addLanguage(pool, seller, maithili);
  const again = await readReminders(pool, seller);
  expect(writtenLanguage(again.reminders, "due", "mai")).toBe("en");
});

test("a seller has no more than twelve languages", async () => {
  const seller = await newSeller();
  const add = (code: string, name = code) => addLanguage(pool, seller, { code, name });
  for (const letter of "abcdefghij") expect(await add(`q${letter}`)).toBe(true);
  expect(await add("mai")).toBe(false);
  expect(await add("qa", "Renamed")).toBe(true);
});
