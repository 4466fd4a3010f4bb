import { expect, test } from "vitest";
import { runMenuEntry } from "./menu-popup.tsx";

async function trying(entry: Omit<Parameters<typeof runMenuEntry>[0], "label">) {
  const happened: unknown[] = [];
  await runMenuEntry(
    { label: "Entry", ...entry },
    { onClose: () => happened.push("closed"), onFailure: (error) => happened.push(error) },
  );
  return happened;
}

test("a menu closes when its entry has run, and reports a failure of the entry", async () => {
  const failure = new Error("away");
  expect(await trying({ onSelect: async () => {} })).toEqual(["closed"]);
  expect(await trying({ onSelect: () => Promise.reject(failure) })).toEqual([
    failure,
    "closed",
  ]);
});

test("a menu ignores an entry that is pending or disabled, and stays open", async () => {
  const onSelect = () => expect.unreachable();
  expect(await trying({ onSelect, isPending: true })).toEqual([]);
  expect(await trying({ onSelect, isDisabled: true })).toEqual([]);
});
