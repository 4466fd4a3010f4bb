import { describe, expect, test } from "vitest";
import { createSession, findSession, stillMay } from "#lib/auth/session.ts";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import { openExport, type ExportFile } from "#lib/search/export/file/data.ts";
import { parseFindSearch } from "#lib/search/search.ts";
import { pool, useDashboardDatabase } from "./testing/dashboard.ts";
import { makeCopy, makeSubscription } from "./testing/made-copy.ts";
import { createPerson, stubEnvironment } from "./testing/person.ts";
import { words } from "./testing/words.ts";

stubEnvironment();
useDashboardDatabase();

const many = (count: number) => Array.from({ length: count }, () => makeSubscription());
const question = { search: parseFindSearch({}), words: "", time_zone: "Asia/Kathmandu" };
const wording = { t: words("export", "en"), tList: words("subscriptions", "en") };

const open = (owner: KeyOwner, file: Partial<ExportFile> = {}) =>
  openExport(pool, owner, question, {
    format: "csv",
    columns: ["buyer"],
    amounts: {},
    wording,
    mayGoOn: async () => true,
    ...file,
  });

async function openTransactions(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}

const restOf = async (body: ReadableStream<Uint8Array>) => {
  let length = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>)
    length += chunk.length;
  return length;
};

describe("a file that is being taken", () => {
  test.each(["csv", "xlsx"] as const)(
    "as %s ends with the membership of who takes it, and with their session",
    async (format) => {
      const owner = await makeCopy(pool, { subscriptions: many(2_000) });
      const { id: user_id } = await createPerson(pool);
      const join = "insert into membership (user_id, seller_id, role) values ($1, $2, 'admin')";
      await pool.query(join, [user_id, owner.seller_id]);
      const now = new Date();
      const secret = await createSession(pool, { user_id }, now);
      const session = await findSession(pool, secret, now);
      if (!session) throw new Error("no session");
      const mayGoOn = () => stillMay(pool, session, owner.seller_id, "subscriptions:export");
      const ends = [
        ["update membership set role = 'support' where user_id = $1", [user_id]],
        ["delete from membership where user_id = $1", [user_id]],
        ["update session set revoked_at = now() where user_id = $1", [user_id]],
      ] as const;
      for (const [sql, values] of ends) {
        await pool.query("delete from membership where user_id = $1", [user_id]);
        await pool.query(join, [user_id, owner.seller_id]);
        const { body } = await open(owner, { format, mayGoOn });
        const reader = body.getReader();
        await reader.read();
        await pool.query(sql, [...values]);
        reader.releaseLock();
        await expect(restOf(body)).rejects.toMatchObject({ failure: { kind: "forbidden" } });
        await expect.poll(openTransactions).toBe(0);
      }
    },
  );

  test("breaks off after so long, however steadily it is taken, and the next one begins", async () => {
    const owner = await makeCopy(pool, { subscriptions: many(2_000) });
    const { body } = await open(owner, { longest: 1 });
    await expect(restOf(body)).rejects.toThrow("the file took too long");
    await expect.poll(openTransactions).toBe(0);
    const next = await open(owner);
    expect(next.rows).toBe(2_000);
    await next.body.cancel();
  });
});
