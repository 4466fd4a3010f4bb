import pg from "pg";
import { expect, test } from "vitest";
import { createMetrics, serveMetrics } from "./metrics.ts";
import { useTestService } from "./testing/use-service.ts";

const service = useTestService();

test("the metrics server answers 401 without the configured token", async () => {
  const token = "a long enough token";
  const server = await serveMetrics(createMetrics(service.pool), {
    port: 0,
    host: "127.0.0.1",
    token,
  });
  const ask = async (authorization?: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    return [answer.status, (await answer.text()).includes("database_connections")];
  };
  for (const wrong of [undefined, "", "Bearer", token, `Bearer ${token}!`, "Bearer ünknown"])
    expect(await ask(wrong)).toEqual([401, false]);
  expect(await ask(`Bearer ${token}`)).toEqual([200, true]);
  await server.close();
});

test("the metric database_archive_failing is 1 while archiving of the PostgreSQL WAL fails", async () => {
  // Archiving is off here, so a view in the test's schema takes the place of PostgreSQL's own.
  await service.pool.query(`create schema archiver
    create view pg_stat_archiver as select now() as last_failed_time, null::timestamptz as last_archived_time`);
  const read = async (path: string) => {
    const options = `-c search_path=${path}`;
    const pool = new pg.Pool({ connectionString: service.databaseUrl, options, max: 1 });
    // A pool ends before its connection does, and dropping the database breaks that.
    pool.on("connect", (client) => client.on("error", () => {}));
    const lines = (await createMetrics(pool).registry.metrics()).split("\n");
    await pool.end();
    return lines.filter((line) => line.startsWith("database_archive_failing"));
  };
  expect(await read("pg_catalog")).toEqual(["database_archive_failing 0"]);
  expect(await read("archiver,pg_catalog")).toEqual(["database_archive_failing 1"]);
  await service.pool.query(`create or replace view archiver.pg_stat_archiver as
    select now() - interval '1 minute' as last_failed_time, now() as last_archived_time`);
  expect(await read("archiver,pg_catalog")).toEqual(["database_archive_failing 0"]);
});

test("the metric database_archive_failing is omitted while the database does not answer", async () => {
  const pool = new pg.Pool({ connectionString: "postgresql://nobody@127.0.0.1:1/none" });
  const text = await createMetrics(pool).registry.metrics();
  expect(text).toContain("database_connections{");
  expect(text).not.toContain("\ndatabase_archive_failing ");
  await pool.end();
});
