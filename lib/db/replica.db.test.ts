import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type pg from "pg";
import { PrimaryAndReplica } from "#tools/trials/topology/postgres.ts";
import { createPool, singleRow } from "./pool.ts";
import { Replica } from "./replica.ts";

let folder: string;
let pair: PrimaryAndReplica;
let primary: pg.Pool;
let copy: pg.Pool;
let replica: Replica;
let said: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "duebook-replica-"));
  await chmod(folder, 0o755);
  pair = await PrimaryAndReplica.start(folder, ["create table note (text text)"]);
  primary = createPool(pair.primary.url("postgres"));
  copy = createPool(pair.replica.url("postgres"), { connectWithin: 1_000 });
});
afterAll(async () => {
  await Promise.all([primary.end(), copy.end()]);
  await pair.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  said = [];
  replica = new Replica(primary, copy, (words) => said.push(words));
});

const READ = `select pg_is_in_recovery() as from_replica,
  (select count(*)::integer from note) as notes`;

const look = () =>
  replica.read(async (pool) =>
    singleRow((await pool.query<{ from_replica: boolean; notes: number }>(READ)).rows),
  );

async function write(): Promise<number> {
  await primary.query("insert into note values ('x')");
  const { rows } = await primary.query<{ notes: number }>(READ);
  return singleRow(rows).notes;
}

test("reads go to an up-to-date replica and always see the latest write", async () => {
  await expect.poll(async () => (await look()).from_replica).toBe(true);
  for (let writes = 0; writes < 50; writes += 1) {
    const notes = await write();
    expect((await look()).notes).toBe(notes);
  }
});

test("while the replica lags behind, reads go to the primary, and one log line says so", async () => {
  await copy.query("select pg_wal_replay_pause()");
  try {
    const notes = await write();
    for (let reads = 0; reads < 3; reads += 1)
      expect(await look()).toEqual({ from_replica: false, notes });
    expect(said).toEqual([expect.stringMatching(/^the replica is \d+ bytes behind/)]);
  } finally {
    await copy.query("select pg_wal_replay_resume()");
  }
  await expect.poll(async () => (await look()).from_replica).toBe(true);
});

test("a read with an SQL error at the replica is not repeated at the primary", async () => {
  await expect.poll(async () => (await look()).from_replica).toBe(true);
  let asked = 0;
  const reading = replica.read((pool) => {
    asked += 1;
    return pool.query("select nothing from nowhere");
  });
  await expect(reading).rejects.toThrow(/nowhere/);
  expect([asked, said]).toEqual([1, []]);
});

test("when the replica terminates the connection of a read, the read is repeated at the primary", async () => {
  await expect.poll(async () => (await look()).from_replica).toBe(true);
  const answer = await replica.read((pool) =>
    pool.query<{ from_replica: boolean }>(
      `select pg_is_in_recovery() as from_replica,
              case when pg_is_in_recovery() then pg_terminate_backend(pg_backend_pid()) end`,
    ),
  );
  expect(singleRow(answer.rows).from_replica).toBe(false);
  expect(said).toEqual([expect.stringMatching(/^the replica cannot be read \(.+\)/)]);
});

test.each([
  ["is full", "53100"],
  ["has no memory left", "53200"],
  ["has no connection left", "53300"],
  ["removed rows in use", "40001"],
])(
  "a read that fails because the replica %s is repeated at the primary",
  async (_what, code) => {
    await expect.poll(async () => (await look()).from_replica).toBe(true);
    const answer = await replica.read(async (pool) => {
      await pool.query(
        `do $$ begin if pg_is_in_recovery() then raise sqlstate '${code}'; end if; end $$`,
      );
      return pool.query<{ from_replica: boolean }>(READ);
    });
    expect(singleRow(answer.rows).from_replica).toBe(false);
  },
);

test("when the replica is down, the primary serves all reads, and one log line says so", async () => {
  await pair.replica.close();
  const notes = await write();
  for (let reads = 0; reads < 3; reads += 1)
    expect(await look()).toEqual({ from_replica: false, notes });
  expect(said).toHaveLength(1);
  await pair.startAgain("replica");
  // This process does not try the replica again yet; another process would use it at once.
  replica = new Replica(primary, copy, (words) => said.push(words));
  await expect.poll(async () => (await look()).from_replica).toBe(true);
});
