import { expect, test } from "vitest";
import {
  hasToasts,
  onFirstToast,
  showToast,
  subscribeToToasts,
  type ToastMessage,
} from "./toast.tsx";

test("toast messages are kept until the toast component has loaded", () => {
  let calls = 0;
  const forget = onFirstToast(() => (calls += 1));
  expect(hasToasts()).toBe(false);
  showToast({ text: "first" });
  expect(hasToasts()).toBe(true);
  expect(calls).toBe(1);

  const shown: ToastMessage[] = [];
  const leave = subscribeToToasts((message) => shown.push(message));
  showToast({ text: "second", isFailure: true });
  expect(shown).toEqual([{ text: "first" }, { text: "second", isFailure: true }]);
  expect(calls).toBe(1);

  leave();
  showToast({ text: "third" });
  expect(shown).toHaveLength(2);
  subscribeToToasts((message) => shown.push(message));
  expect(shown.at(-1)).toEqual({ text: "third" });
  forget();
});
