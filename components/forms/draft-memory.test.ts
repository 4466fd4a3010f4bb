import { beforeEach, expect, test } from "vitest";
import { forgetDrafts, recallDraft, saveDraft } from "./draft-memory.ts";

const key = { person: "asha", form: "subscription.himal.test" };
const DAY = 24 * 3_600_000;

beforeEach(() => sessionStorage.clear());

test("a draft is there for whoever typed it, with when that was", () => {
  saveDraft(key, { phone: "1" }, 5);
  expect(recallDraft(key, 6)).toEqual({ saved_at: 5, content: { phone: "1" } });
  expect(recallDraft({ ...key, form: "subscription.himal.live" }, 6)).toBeNull();
});

test("a draft is gone after a day", () => {
  saveDraft(key, { phone: "1" }, 0);
  expect(recallDraft(key, DAY)).toBeNull();
  expect(sessionStorage.length).toBe(0);
});

test("the next person at the same screen finds nothing, and leaves nothing to be found", () => {
  saveDraft(key, { phone: "1" }, 0);
  expect(recallDraft({ ...key, person: "binod" }, 1)).toBeNull();
  expect(recallDraft(key, 1)).toBeNull();
});

test("a sign-out forgets drafts alone", () => {
  saveDraft(key, { phone: "1" });
  sessionStorage.setItem("other", "kept");
  forgetDrafts();
  expect(Object.keys(sessionStorage)).toEqual(["other"]);
});

test("what is no draft is none", () => {
  sessionStorage.setItem("duebook.draft.asha.subscription.himal.test", "{");
  expect(recallDraft(key)).toBeNull();
});
