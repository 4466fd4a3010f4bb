import { expect, test } from "vitest";
import { limitedOutageLog } from "./database.ts";
import type { LogFields } from "./log.ts";

test("a database outage is logged once a minute, with its cause and the number of omitted lines", () => {
  let now = 0;
  const lines: LogFields[] = [];
  const tell = limitedOutageLog(
    (msg, fields) => lines.push({ msg, ...fields }),
    () => now,
  );
  const refused = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:5432"), {
    code: "ECONNREFUSED",
  });
  for (let times = 0; times < 830; times += 1) tell(refused);
  expect(lines).toEqual([
    {
      msg: "the database is away",
      cause: "connect ECONNREFUSED 127.0.0.1:5432",
      fault: { name: "Error", code: "ECONNREFUSED", place: expect.any(Array) },
    },
  ]);
  now = 61_000;
  tell(new Error("Query read timeout"));
  expect(lines[1]).toMatchObject({ cause: "Query read timeout", left_out: 829 });
  expect(lines).toHaveLength(2);
});
