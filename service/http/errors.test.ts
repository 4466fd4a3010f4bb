import pg from "pg";
import { expect, test } from "vitest";
import { freePort } from "#scripts/database/free-port.ts";
import { isDatabaseDown, isUnreachable } from "./errors.ts";

const from = (code: string, words: string) =>
  Object.assign(new pg.DatabaseError(words, words.length, "error"), { code });

test.each([
  ["08P01", "server login has been failing, cached error: connect failed (server_login_retry)"],
  ["08P01", "query_wait_timeout"],
  ["08006", "server closed the connection unexpectedly"],
  ["57P01", "terminating connection due to administrator command"],
])("a connection pooler's error counts as a database outage: %s: %s", (code, words) => {
  expect(isUnreachable(from(code, words))).toBe(true);
});

test.each([
  ["53100", "could not extend file: No space left on device"],
  ["53200", "out of memory"],
  ["53300", "sorry, too many clients already"],
])(
  "a database without free disk, memory or connections counts as an outage (%s: %s)",
  (code, words) => {
    expect(isUnreachable(from(code, words))).toBe(true);
  },
);

test.each([
  from("25006", "cannot execute INSERT in a read-only transaction"),
  new Error("Query read timeout"),
])("a read-only database and a read timeout count as a database outage", (error) => {
  expect([isUnreachable(error), isDatabaseDown(error)]).toEqual([true, true]);
});

test("a connection refused by a full disk counts as a database outage, but a failed statement does not", () => {
  const refused = from("XX000", "could not write init file");
  for (const [severity, isOutage] of [
    ["FATAL", true],
    ["ERROR", false],
  ] as const) {
    const error = Object.assign(refused, { severity });
    expect([isUnreachable(error), isDatabaseDown(error)]).toEqual([isOutage, isOutage]);
  }
});

test("a lock timeout makes a request answer 503 but does not count as a database outage", () => {
  const error = from("55P03", "canceling statement due to lock timeout");
  expect([isUnreachable(error), isDatabaseDown(error)]).toEqual([true, false]);
});

test.each(["EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN", "ENETDOWN", "ECONNABORTED"])(
  "an unreachable network (%s) counts as a database outage",
  (code) => {
    expect(isDatabaseDown(Object.assign(new Error("no way"), { code }))).toBe(true);
  },
);

test("an unreachable payment provider does not count as a database outage", async () => {
  const port = await freePort();
  const ask = (signal?: AbortSignal) =>
    fetch(`http://127.0.0.1:${port}/`, signal ? { signal } : {}).catch(
      (error: unknown) => error,
    );
  const late = AbortSignal.abort(new DOMException("it took too long", "TimeoutError"));
  for (const error of [await ask(), await ask(late)]) {
    expect(error).toBeInstanceOf(Error);
    expect([isUnreachable(error), isDatabaseDown(error)]).toEqual([false, false]);
  }
});

test("a violated constraint does not count as a database outage", () => {
  expect(isUnreachable(from("23505", "duplicate key value"))).toBe(false);
});
