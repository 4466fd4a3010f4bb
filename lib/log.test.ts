import { readFile } from "node:fs/promises";
import pg from "pg";
import { expect, test } from "vitest";
import { logLineOf, oneLine } from "#contract/process/log.ts";
import { logLinesOf } from "#tools/testing/captured-log.ts";
import { isDatabaseAway, logFault, logLine, logSecurity } from "./log.ts";
import { withRequest } from "./trace.ts";

test("a logged error text cannot start a new line or control the terminal", () => {
  expect(oneLine("lost (\r\ndashboard: all is well)")).toBe("lost ( dashboard: all is well)");
  expect(oneLine("a\u001B[2Jb\u2028c\u202Ed")).toBe("a [2Jb c d");
  expect(oneLine("सरस्वती ← 2,000")).toBe("सरस्वती ← 2,000");
  const line = logLineOf({ program: "dashboard", level: "warn" }, "a\u202Eb", {
    one: { inner: ["c\nd"] },
  });
  expect(JSON.parse(line)).toMatchObject({ msg: "a b", one: { inner: ["c d"] } });
});

test("a log line contains time, level and program, and the request id even after an await", async () => {
  const lines = await logLinesOf(async () => {
    await withRequest("request-0001", async () => {
      await Promise.resolve();
      logLine("a mail was refused", { code: "E1" });
    });
    logLine("a worker pauses", {}, "info");
  });
  const both = { program: "dashboard", pid: process.pid };
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
  expect(lines).toEqual([
    {
      ...both,
      level: "error",
      time,
      request: "request-0001",
      code: "E1",
      msg: "a mail was refused",
    },
    { ...both, level: "info", time, msg: "a worker pauses" },
  ]);
});

test("a refused access is logged as a warning with its reason", async () => {
  const [line] = await logLinesOf(() =>
    logSecurity("access.refused", { reason: "permission" }),
  );
  expect(line).toMatchObject({
    level: "warn",
    event: "access.refused",
    reason: "permission",
    msg: "security event",
  });
});

const said = (code: string, words: string, severity = "ERROR") =>
  Object.assign(new pg.DatabaseError(words, words.length, "error"), { code, severity });

const connecting = async (connectionString: string) => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
  return client.connect().catch((error: unknown) => error);
};

test.each([
  ["a pooler without a server", said("08P01", "server login has been failing")],
  ["a server that shuts down", said("57P01", "terminating connection")],
  ["a server that starts", said("57P03", "the database system is starting up")],
  ["a full disk", said("53100", "could not extend file: No space left on device")],
  ["a full disk at a new connection", said("XX000", "could not write init file", "FATAL")],
  ["a broken disk at a new connection", said("58030", "could not read file", "FATAL")],
  ["too many connections", said("53300", "sorry, too many clients already")],
  ["a cut connection", new Error("Connection terminated unexpectedly")],
  [
    "a network without a route",
    Object.assign(new Error("unreachable"), { code: "EHOSTUNREACH" }),
  ],
  ["a former primary, which is read-only", said("25006", "in a read-only transaction")],
  ["a lock that is held", said("55P03", "canceling statement due to lock timeout")],
  ["a full pool", new Error("timeout exceeded when trying to connect")],
])("%s is recognized as a database outage", (_what, error) => {
  expect(isDatabaseAway(error)).toBe(true);
});

test("a port and a socket without a listener are recognized as database outages", async () => {
  expect(isDatabaseAway(await connecting("postgresql://nobody@127.0.0.1:1/none"))).toBe(true);
  const socket = "postgresql://nobody@localhost/none?host=%2Fnowhere";
  expect(isDatabaseAway(await connecting(socket))).toBe(true);
});

test("an SQL error, a statement timeout and a missing file are not database outages", async () => {
  expect(isDatabaseAway(said("XX000", "cache lookup failed"))).toBe(false);
  expect(isDatabaseAway(said("42P01", "relation does not exist"))).toBe(false);
  expect(isDatabaseAway(said("57014", "canceling statement due to timeout"))).toBe(false);
  const missing = await readFile("/nowhere/at/all").catch((error: unknown) => error);
  expect(isDatabaseAway(missing)).toBe(false);
});

test("background failures are logged without the error message, and a repeated outage only once", async () => {
  const refused = await connecting("postgresql://nobody@127.0.0.1:1/none");
  const broken = said("23505", "Key (email)=(a person) already exists.");
  const lines = await logLinesOf(() => {
    for (let times = 0; times < 200; times += 1) logFault("not kept", refused);
    logFault("not kept", broken);
  });
  expect(lines).toMatchObject([
    { msg: "the database is away", fault: { code: "ECONNREFUSED" } },
    { msg: "not kept", fault: { code: "23505" } },
  ]);
  expect(JSON.stringify(lines)).not.toContain("a person");
});
