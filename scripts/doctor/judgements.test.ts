import { mkdir, mkdtemp, rm, utimes, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeAnswer, judgeCertificate, judgeClock } from "./api.ts";
import { checkNode } from "./configuration.ts";
import { judgeConnections, judgeDisk, judgeServer } from "./database.ts";
import { isPrivateHost } from "./finding.ts";
import { checkBackups } from "./work.ts";

const GIB = 1_024 ** 3;

test.each([
  [0.1, 100, "failure"],
  [0.9, 10, "warning"],
  [4, 100, "warning"],
  [20, 100, "ok"],
])("%d GiB free of a disk of %d GiB is judged: %s", (free, all, level) => {
  expect(judgeDisk("/data", free * GIB, all * GIB).level).toBe(level);
});

test.each([
  [-1, "failure"],
  [20, "warning"],
  [60, "ok"],
])("a certificate with %d days left is judged: %s", (days, level) => {
  expect(judgeCertificate("The API", days).level).toBe(level);
});

test.each([
  [0.5, "ok"],
  [-30, "warning"],
  [-61, "failure"],
  [3_600, "failure"],
])("a clock that is %d seconds ahead is judged: %s", (ahead, level) => {
  expect(judgeClock("the API", ahead).level).toBe(level);
});

test("an old PostgreSQL, a read-only replica and a pooler that drops the time zone are failures", () => {
  const sound = { version: 18, time_zone: "UTC", is_replica: false };
  const levels = (changes: Partial<typeof sound>) =>
    judgeServer("dashboard", { ...sound, ...changes }).map(({ level }) => level);
  expect(levels({})).toEqual(["ok"]);
  expect(levels({ version: 14 })).toEqual(["failure"]);
  expect(levels({ is_replica: true, time_zone: "Asia/Kathmandu" })).toEqual([
    "failure",
    "failure",
  ]);
});

test("nearly used-up connections, a slow or busy API, and another Node.js version are reported", () => {
  expect(judgeConnections("service", { used: 90, most: 97 }).level).toBe("warning");
  expect(judgeConnections("service", { used: 9, most: 97 }).level).toBe("ok");
  expect(judgeAnswer("The API", "http://a.example", 401, 1_200).level).toBe("warning");
  expect(judgeAnswer("The API", "http://a.example", 429, 2).level).toBe("warning");
  expect(checkNode("24.1.0", "26.10.0")[0]?.level).toBe("note");
});

test.each([
  ["localhost", true],
  ["10.1.2.3", true],
  ["172.20.0.1", true],
  ["[::1]", true],
  ["billing.internal", true],
  ["172.40.0.1", false],
  ["billing.example.com", false],
])("whether %s is a private host: %s", (host, isPrivate) => {
  expect(isPrivateHost(host)).toBe(isPrivate);
});

test("a missing backup and an old backup are reported, and a fresh backup is not", async () => {
  const folder = await mkdtemp(join(tmpdir(), "duebook-backups-"));
  const now = new Date();
  const levels = async () => (await checkBackups(folder, now)).map(({ level }) => level);
  expect(await levels()).toEqual(["note"]);
  await mkdir(join(folder, "old"));
  const old = new Date(now.getTime() - 9 * 86_400_000);
  await utimes(join(folder, "old"), old, old);
  expect(await levels()).toEqual(["warning"]);
  // pgBackRest's own files, which it also writes when it only removes a backup.
  for (const name of ["backup.info", "backup.info.copy"])
    await writeFile(join(folder, name), "");
  await mkdir(join(folder, "backup.history"));
  await symlink("old", join(folder, "latest"));
  expect(await levels()).toEqual(["warning"]);
  await mkdir(join(folder, "fresh"));
  expect(await levels()).toEqual(["ok"]);
  await rm(folder, { recursive: true });
});
