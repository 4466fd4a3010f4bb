import { describe, expect, test } from "vitest";
import {
  createSession,
  findSession,
  isSessionStillAllowed,
} from "#lib/auth/sessions/session.ts";
import { openAuditFile } from "#lib/audit-log/data.ts";
import { parseAuditSearch } from "#lib/audit-log/search.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { csvStream } from "#lib/files/table-file.ts";
import type { FileRequester } from "#lib/files/file-turns.ts";
import { openPaymentsFile } from "#lib/payments/store.ts";
import { parsePaymentSearch } from "#lib/payments/search.ts";
import { openExport, type ExportFile } from "#lib/subscriptions/export/data.ts";
import { parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { createIndexedSeller, makeSubscription } from "../testing/fixtures/records-fixture.ts";
import { createPerson, stubEnvironment } from "../testing/person.ts";
import { translatorOf } from "../testing/messages.ts";

stubEnvironment();
useDashboardDatabase();

const many = (count: number) => Array.from({ length: count }, () => makeSubscription());
const question = {
  search: parseSubscriptionSearch({}),
  words: "",
  time_zone: "Asia/Kathmandu",
};
const wording = { t: translatorOf("export", "en"), tList: translatorOf("subscriptions", "en") };

const open = (
  owner: KeyOwner,
  { user_id = owner.seller_id, ...file }: Partial<ExportFile> = {},
) =>
  openExport(pool, owner, question, {
    format: "csv",
    columns: ["buyer"],
    amounts: {},
    wording,
    user_id,
    mayGoOn: async () => true,
    ...file,
  });

const askerOf = ({ seller_id }: KeyOwner, asked: Partial<FileRequester>): FileRequester => ({
  seller_id,
  user_id: seller_id,
  busy: "busy",
  mayGoOn: async () => true,
  ...asked,
});
const unrecorded = async () => {};

function openPayments(
  owner: KeyOwner,
  given: Partial<FileRequester> = {},
  record = unrecorded,
) {
  const search = parsePaymentSearch(new URLSearchParams());
  const asked = { search, time_zone: "UTC", asker: askerOf(owner, given), record };
  async function* lines(batches: AsyncGenerator<{ id: string }[]>) {
    yield "id\r\n";
    for await (const batch of batches)
      yield batch.map(({ id }) => `payment ${id}\r\n`).join("");
  }
  return openPaymentsFile(pool, owner, asked, (rows) => csvStream(lines(rows)));
}

function openActs(owner: KeyOwner, given: Partial<FileRequester> = {}, record = unrecorded) {
  const whose = { ...owner, time_zone: "UTC" };
  const search = parseAuditSearch(new URLSearchParams());
  const asker = askerOf(owner, given);
  return openAuditFile(pool, translatorOf("audit", "en"), { whose, search, asker }, record);
}

/** The number of rows, more than one batch reads. */
const MANY = 2_100;

async function makeRows({ seller_id, mode }: KeyOwner) {
  await pool.query(
    `insert into proof (seller_id, mode, subscription_id, at, known_by)
     select $1, $2, 's-' || n, now(), 'unknown' from generate_series(1, ${MANY}) n`,
    [seller_id, mode],
  );
  await pool.query(
    `insert into audit_log (seller_id, mode, user_id, action, result)
     select $1, $2, $3, 'proofs.export', 'done' from generate_series(1, ${MANY})`,
    [seller_id, mode, (await createPerson(pool)).id],
  );
}

async function openTransactions(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and xact_start is not null
        and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}

const restOf = async (body: ReadableStream<Uint8Array>) => {
  let length = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>)
    length += chunk.length;
  return length;
};

describe("a running download", () => {
  test.each(["csv", "xlsx"] as const)(
    "as %s ends when its user loses the permission, and when the session ends",
    async (format) => {
      const owner = await createIndexedSeller(pool, { subscriptions: many(2_000) });
      const { id: user_id } = await createPerson(pool);
      const join = "insert into membership (user_id, seller_id, role) values ($1, $2, 'admin')";
      await pool.query(join, [user_id, owner.seller_id]);
      const now = new Date();
      const secret = await createSession(pool, { user_id }, now);
      const session = await findSession(pool, secret, now);
      if (!session) throw new Error("no session");
      const mayGoOn = () =>
        isSessionStillAllowed(pool, session, owner.seller_id, "subscriptions:export");
      const ends = [
        ["update membership set role = 'support' where user_id = $1", [user_id]],
        ["delete from membership where user_id = $1", [user_id]],
        ["update seller set demands_second_factor = true where id = $1", [owner.seller_id]],
        [
          "update session set last_seen_at = now() - interval '13 hours' where user_id = $1",
          [user_id],
        ],
        ["update session set revoked_at = now() where user_id = $1", [user_id]],
      ] as const;
      for (const [sql, values] of ends) {
        await pool.query("delete from membership where user_id = $1", [user_id]);
        await pool.query("update seller set demands_second_factor = false");
        await pool.query("update session set last_seen_at = now() where user_id = $1", [
          user_id,
        ]);
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

  test("is aborted after the time limit, and the next download can begin", async () => {
    const owner = await createIndexedSeller(pool, { subscriptions: many(2_000) });
    const { body } = await open(owner, { longest: 1 });
    await expect(restOf(body)).rejects.toThrow("the file took too long");
    await expect.poll(openTransactions).toBe(0);
    const next = await open(owner);
    expect(next.rows).toBe(2_000);
    await next.body.cancel();
  });

  test.each([
    ["of payments", openPayments],
    ["of the audit log", openActs],
  ])(
    "%s ends when its user loses the permission, and after the time limit",
    async (_of, make) => {
      const owner = await createIndexedSeller(pool, { subscriptions: [] });
      await makeRows(owner);
      let may = true;
      const { body } = await make(owner, { mayGoOn: async () => may });
      const reader = body.getReader();
      await reader.read();
      may = false;
      reader.releaseLock();
      await expect(restOf(body)).rejects.toMatchObject({ failure: { kind: "forbidden" } });
      const late = await make(owner, { longest: 1 });
      await expect(late.body.getReader().closed).rejects.toThrow("the file took too long");
      await late.close();
      const next = await make(owner);
      expect(await restOf(next.body)).toBeGreaterThan(MANY * 10);
    },
  );

  test("is the only download of its seller and of its user, whatever is downloaded", async () => {
    const makes = [open, openPayments, openActs];
    for (const first of makes) {
      const owner = await createIndexedSeller(pool, { subscriptions: many(1) });
      const other = await createIndexedSeller(pool, { subscriptions: many(1) });
      const { body } = await first(owner, { user_id: "worker of both" });
      for (const second of makes) {
        const conflict = { failure: { kind: "conflict" } };
        await expect(second(owner)).rejects.toMatchObject(conflict);
        const elsewhere = second(other, { user_id: "worker of both" });
        await expect(elsewhere).rejects.toMatchObject(conflict);
        await (await second(other)).body.cancel();
      }
      await body.cancel();
      await (await first(owner)).body.cancel();
    }
  });

  test("is recorded in the audit log unless it is refused", async () => {
    const owner = await createIndexedSeller(pool, { subscriptions: many(1) });
    const { body } = await open(owner);
    const told: string[] = [];
    const tell = (what: string) => async () => void told.push(what);
    await expect(openPayments(owner, {}, tell("payments"))).rejects.toThrow();
    await expect(openActs(owner, {}, tell("acts"))).rejects.toThrow();
    expect(told).toEqual([]);
    await body.cancel();
    await (await openActs(owner, {}, tell("acts"))).body.cancel();
    expect(told).toEqual(["acts"]);
  });
});
