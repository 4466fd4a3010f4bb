import { expect, test } from "vitest";
import { CommandFailure } from "#scripts/process/command.ts";
import { waitUntil } from "./wait-until.ts";

test("a CommandFailure of the check ends the wait at once with its message", async () => {
  const over = new CommandFailure("the program ended: no such file");
  await expect(waitUntil("it is ready", () => Promise.reject(over))).rejects.toBe(over);
});

test("a program that cannot be reached is waited for", async () => {
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

test("a programming error in the check is thrown", async () => {
  const missing: { words?: string[] } = {};
  await expect(
    waitUntil("it is said", async () => (missing.words as string[]).includes("so")),
  ).rejects.toThrow(TypeError);
});

test("a condition that does not hold in time is a failure", async () => {
  await expect(waitUntil("it rains", async () => false, 0)).rejects.toThrow(
    "it rains: waited 0 s in vain",
  );
});
