import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#scripts/testing/dashboard.ts";
import { readMessages, saveMessage } from "./data.ts";
import { OUR_MESSAGES } from "./rules.ts";

useDashboardDatabase();

async function newSeller(): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    "insert into seller (name, time_zone) values ('Himal Dairy', 'UTC') returning id",
  );
  return rows[0]?.id ?? "";
}

test("a seller has our texts until they write their own, each for itself", async () => {
  const seller = await newSeller();
  expect(await readMessages(pool, seller)).toEqual(OUR_MESSAGES);
  const body = "नमस्ते {name} जी: {link}";
  await saveMessage(pool, seller, { kind: "renewal", body: "first {link}" });
  await saveMessage(pool, seller, { kind: "renewal", body });
  expect(await readMessages(pool, seller)).toEqual({ ...OUR_MESSAGES, renewal: body });
  expect(await readMessages(pool, await newSeller())).toEqual(OUR_MESSAGES);
});

test("going back to our text keeps nothing", async () => {
  const seller = await newSeller();
  await saveMessage(pool, seller, { kind: "renewal", body: "own {link}" });
  await saveMessage(pool, seller, { kind: "renewal", body: OUR_MESSAGES.renewal });
  const { rowCount } = await pool.query("select 1 from message_text where seller_id = $1", [
    seller,
  ]);
  expect(rowCount).toBe(0);
});
