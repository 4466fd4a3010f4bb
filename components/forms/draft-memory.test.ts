import { beforeEach, expect, test } from "vitest";
import { forgetDrafts, recallDraft, saveDraft } from "./draft-memory.ts";

const key = { person: "asha", form: "subscription.himal.test" };
const DAY = 24 * 3_600_000;

beforeEach(() => sessionStorage.clear());

test("a draft is restored with its time for the person who typed it, only in the form where it was typed", () => {
  saveDraft(key, { phone: "1" }, 5);
  expect(recallDraft(key, 6)).toEqual({ saved_at: 5, content: { phone: "1" } });
  expect(recallDraft({ ...key, form: "subscription.himal.live" }, 6)).toBeNull();
});

test("a draft expires after a day", () => {
  saveDraft(key, { phone: "1" }, 0);
  expect(recallDraft(key, DAY)).toBeNull();
  expect(sessionStorage.length).toBe(0);
});

test("the next person in the same tab gets no draft, and the earlier person's draft is deleted", () => {
  saveDraft(key, { phone: "1" }, 0);
  expect(recallDraft({ ...key, person: "binod" }, 1)).toBeNull();
  expect(recallDraft(key, 1)).toBeNull();
});

test("signing out deletes the drafts and keeps other session data", () => {
  saveDraft(key, { phone: "1" });
  sessionStorage.setItem("other", "kept");
  forgetDrafts();
  expect(Object.keys(sessionStorage)).toEqual(["other"]);
});

test("a stored draft that is not valid JSON is ignored", () => {
  sessionStorage.setItem("duebook.draft.asha.subscription.himal.test", "{");
  expect(recallDraft(key)).toBeNull();
});
