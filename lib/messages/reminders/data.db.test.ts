import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#scripts/testing/dashboard.ts";
import { saveMessage } from "../data.ts";
import { readReminders } from "./data.ts";
import { OUR_REMINDERS, reminderFor } from "./rules.ts";

useDashboardDatabase();

async function newSeller(): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Himal Dairy', 'UTC') returning id",
  );
  return rows[0]?.id ?? "";
}

test("a seller has our reminders in both languages, and their own where they wrote some", async () => {
  const seller = await newSeller();
  const ours = await readReminders(pool, seller);
  expect(reminderFor(ours, "due", "ne", "whatsapp")).toBe(OUR_REMINDERS.due.ne);
  await saveMessage(pool, seller, { kind: "renewal", body: "Please renew: {link}" });
  const renewal = await readReminders(pool, seller);
  expect(reminderFor(renewal, "soon", "en", "sms")).toBe("Please renew: {link}");
  expect(reminderFor(renewal, "soon", "ne", "sms")).toBe(OUR_REMINDERS.soon.ne);
  await pool.query(
    `insert into reminder_text (seller_id, kind, language, channel, body)
     values ($1, 'soon', 'en', 'any', 'Own {link}'), ($1, 'soon', 'en', 'sms', '{link}')`,
    [seller],
  );
  const own = await readReminders(pool, seller);
  expect(reminderFor(own, "soon", "en", "sms")).toBe("{link}");
  expect(reminderFor(own, "soon", "en", "mail")).toBe("Own {link}");
  expect(reminderFor(await readReminders(pool, await newSeller()), "soon", "en", "sms")).toBe(
    OUR_REMINDERS.soon.en,
  );
});
