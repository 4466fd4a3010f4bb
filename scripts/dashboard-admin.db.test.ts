import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encryptionKeyIdOf, openApiKey, sealApiKey } from "#lib/crypto/api-key.ts";
import { createSession, findSession } from "#lib/auth/sessions/session.ts";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";

const ROWS = 3_000;
const before = randomBytes(32);
const next = randomBytes(32);

let database: TestDatabase;
let client: pg.Client;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase("dashboard");
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  folder = await mkdtemp(join(tmpdir(), "duebook-admin-"));
});

afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function startAdmin(...arguments_: string[]) {
  const script = join(import.meta.dirname, "dashboard-admin.ts");
  const child = spawn(process.execPath, ["--conditions=react-server", script, ...arguments_], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      API_KEY_ENCRYPTION_KEY: next.toString("base64"),
      API_KEY_ENCRYPTION_KEY_OLD: before.toString("base64"),
    },
  });
  let output = "";
  const firstWords = once(child.stdout, "data");
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(child, "close").then(([code]) => ({
    code: code as number | null,
    output,
  }));
  return { child, firstWords, ended };
}

async function storeKeys() {
  const ids = Array.from({ length: ROWS }, () => randomUUID());
  await client.query(
    "insert into seller (id, name, time_zone) select id, 'Phewa', 'UTC' from unnest($1::uuid[]) as id",
    [ids],
  );
  const sealed = ids.map((seller_id) =>
    sealApiKey(`sk ${seller_id}`, { seller_id, mode: "test" }, before),
  );
  await client.query(
    `insert into billing_connection (seller_id, mode, sealed_key, key_id, last4)
     select id, 'test', sealed_key, $3, '0000' from unnest($1::uuid[], $2::bytea[]) as t (id, sealed_key)`,
    [ids, sealed, encryptionKeyIdOf(before)],
  );
}

test("an encryption key rotation that was killed half-way is completed by the next run", async () => {
  await storeKeys();
  const killed = startAdmin("rotate-keys");
  await killed.firstWords;
  killed.child.kill("SIGKILL");
  await killed.ended;
  const { rows: left } = await client.query<{ count: number }>(
    "select count(*)::int as count from billing_connection where key_id <> $1",
    [encryptionKeyIdOf(next)],
  );
  expect(left[0]?.count).toBeGreaterThan(0);
  expect(left[0]?.count).toBeLessThan(ROWS);

  const { code, output } = await startAdmin("rotate-keys").ended;
  expect(code).toBe(0);
  expect(output).toContain(`Re-encrypted API keys: ${left[0]?.count}.`);
  const { rows } = await client.query<{ seller_id: string; sealed_key: Buffer }>(
    "select seller_id, sealed_key from billing_connection",
  );
  expect(rows).toHaveLength(ROWS);
  for (const { seller_id, sealed_key } of rows)
    expect(openApiKey(sealed_key, { seller_id, mode: "test" }, next)).toBe(`sk ${seller_id}`);
});

test("a rotation exits with 1 and leaves a second factor unchanged if its encryption key is missing", async () => {
  const { rows } = await client.query<{ id: string }>(
    "insert into app_user (email, name) values ('asha@example.com', 'Asha') returning id",
  );
  await client.query(
    "insert into second_factor (user_id, sealed_secret, key_id) values ($1, '\\x00', $2)",
    [rows[0]?.id, encryptionKeyIdOf(randomBytes(32))],
  );
  const { code, output } = await startAdmin("rotate-keys").ended;
  expect(output).toContain("left as they are: 1 second factors.");
  expect(code).toBe(1);
});

test("an operator ends the sessions of one person or of everybody, and the account log of each person records it", async () => {
  const people: { id: string; email: string; secrets: string[] }[] = [];
  for (const email of ["one@sessions.example", "two@sessions.example"]) {
    const { rows } = await client.query<{ id: string }>(
      "insert into app_user (email, name) values ($1, 'Asha') returning id",
      [email],
    );
    const id = rows[0]?.id ?? "";
    const session = () => createSession(client, { user_id: id });
    people.push({ id, email, secrets: [await session(), await session()] });
  }
  const alive = async () => {
    const found: boolean[] = [];
    for (const secret of people.flatMap(({ secrets }) => secrets))
      found.push((await findSession(client, secret)) !== null);
    return found;
  };
  const told = async () => {
    const { rows } = await client.query<{ user_id: string }>(
      "select user_id from account_event where kind = 'session.end_all' order by id",
    );
    return rows.map(({ user_id }) => user_id);
  };
  const [one, two] = people;
  const ended = await startAdmin("end-sessions", one?.email.toUpperCase() ?? "").ended;
  expect(ended).toEqual({ code: 0, output: "Ended: 2 sessions of 1 people.\n" });
  expect(await alive()).toEqual([false, false, true, true]);
  expect(await told()).toEqual([one?.id]);

  const all = await startAdmin("end-sessions", "--all").ended;
  expect(all).toEqual({ code: 0, output: "Ended: 2 sessions of 1 people.\n" });
  expect(await alive()).toEqual([false, false, false, false]);
  expect(await told()).toEqual([one?.id, two?.id]);

  expect((await startAdmin("end-sessions").ended).code).toBe(1);
  expect((await startAdmin("end-sessions", "nobody@example.com").ended).code).toBe(1);
});

test("an unknown command is named in the first line, before the list of commands", async () => {
  const { code, output } = await startAdmin("rotate").ended;
  expect(code).toBe(1);
  expect(output).toMatch(/^duebook: there is no command 'rotate'/);
  expect(output).toContain("rotate-keys");
});
