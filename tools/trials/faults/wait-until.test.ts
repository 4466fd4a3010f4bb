import { expect, test } from "vitest";
import { CommandFailure } from "#scripts/process/command.ts";
import { waitUntil } from "./wait-until.ts";

test("waiting ends at once if the check throws a CommandFailure", async () => {
  const over = new CommandFailure("the program ended: no such file");
  await expect(waitUntil("it is ready", () => Promise.reject(over))).rejects.toBe(over);
});

test("waiting continues while the checked program cannot be reached", async () => {
  const away = [
    () => fetch("http://127.0.0.1:1/"),
    () => Promise.reject(Object.assign(new Error("gone"), { code: "57P01" })),
    () => Promise.reject(new Error("Connection terminated unexpectedly")),
  ];
  await waitUntil("it is back", async () => {
    await away.pop()?.();
    return true;
  });
  expect(away).toEqual([]);
});

test("waiting throws a programming error of the check", async () => {
  const missing: { words?: string[] } = {};
  await expect(
    waitUntil("it is said", async () => (missing.words as string[]).includes("so")),
  ).rejects.toThrow(TypeError);
});

test("waiting fails if its condition is not met in time", async () => {
  await expect(waitUntil("it rains", async () => false, 0)).rejects.toThrow(
    "it rains: waited 0 s in vain",
  );
});
