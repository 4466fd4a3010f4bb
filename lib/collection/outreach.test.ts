import { expect, test } from "vitest";
import type { DeskEntry } from "./queries.ts";
import { NEVER_CONTACTED, type CollectionStatus } from "./rules.ts";
import {
  addChosen,
  beginPreparing,
  countOutcomes,
  MOST_CHOSEN,
  nextOf,
  outcomeOf,
  passOne,
  putBack,
  readPreparing,
  takeUp,
} from "./outreach.ts";

const chosen = (...ids: string[]) => ids.map((id) => ({ id, name: `Buyer ${id}`, seen: null }));
const idOf = (run: Parameters<typeof nextOf>[0]) => nextOf(run)?.id ?? null;

test("one comes after the other, and what was passed over by hand comes at the end", () => {
  let run = beginPreparing(chosen("a", "b", "c"));
  expect(idOf(run)).toBe("a");
  run = passOne(takeUp(run, "b"), "b", "written");
  expect(idOf(run)).toBe("c");
  run = passOne(run, "c", "skipped");
  expect(idOf(run)).toBe("a");
  run = passOne(run, "a", "unreachable");
  expect(idOf(run)).toBeNull();
  expect(countOutcomes(run)).toEqual({
    done: 3,
    total: 3,
    outcomes: [
      { outcome: "written", count: 1 },
      { outcome: "unreachable", count: 1 },
      { outcome: "skipped", count: 1 },
    ],
  });
});

test("what was taken back is next again, and of nobody else anything is said", () => {
  let run = passOne(beginPreparing(chosen("a", "b")), "a", "written");
  expect(passOne(run, "elsewhere", "written")).toBe(run);
  run = passOne(run, "b", "written");
  expect(idOf(takeUp(run, "elsewhere"))).toBeNull();
  run = takeUp({ ...run, isPaused: true }, "a");
  expect(idOf(run)).toBe("a");
  expect(run.isPaused).toBe(false);
});

test("an answer that comes late says what became of one, and leaves who is next", () => {
  let run = passOne(beginPreparing(chosen("a", "b", "c")), "a", "skipped");
  run = passOne(passOne(run, "b", "skipped"), "a", "written");
  expect(idOf(run)).toBe("c");
  expect(run.buyers.map(({ outcome }) => outcome)).toEqual(["written", "skipped", null]);
  expect(passOne(run, "a", "skipped")).toBe(run);
  run = putBack(run, "a");
  expect(idOf(run)).toBe("c");
  expect(idOf(passOne(run, "c", "written"))).toBe("a");
  expect(putBack(run, "elsewhere")).toEqual(run);
});

test("who is chosen later waits behind the others, and nobody twice", () => {
  let run = passOne(beginPreparing(chosen("a", "b", "c")), "a", "skipped");
  run = addChosen({ ...run, isPaused: true }, chosen("c", "a", "d"));
  expect(run.isPaused).toBe(false);
  expect(run.buyers.map(({ id, outcome }) => [id, outcome])).toEqual([
    ["b", null],
    ["c", null],
    ["a", null],
    ["d", null],
  ]);
  expect(idOf(run)).toBe("b");
  const later = addChosen(passOne(run, "b", "written"), chosen("e"));
  expect(idOf(later)).toBe("c");
  expect(countOutcomes(later)).toMatchObject({ done: 1, total: 5 });
});

test("no more are prepared than anybody writes", () => {
  const many = chosen(...Array.from({ length: MOST_CHOSEN + 1 }, (_, at) => String(at)));
  expect(beginPreparing(many).buyers).toHaveLength(MOST_CHOSEN);
});

test("whoever goes on without writing need not say why", () => {
  const last = { id: "12", at: "", person: { id: "sita", name: "Sita" }, channel: null };
  const entry = (
    more: Partial<DeskEntry["contacted"]>,
    group: CollectionStatus["group"] = "due",
  ) => ({
    standing: { group } as CollectionStatus,
    contacted: { ...NEVER_CONTACTED, ...more },
  });
  const who = { person: "bina", seen: "9", isReachable: true };
  expect(outcomeOf(entry({ last }), who)).toBe("reached");
  expect(outcomeOf(entry({ last }), { ...who, person: "sita" })).toBe("written");
  expect(outcomeOf(entry({ last }), { ...who, seen: "12" })).toBe("skipped");
  expect(outcomeOf(entry({}, null), who)).toBe("settled");
  expect(outcomeOf(entry({}), { ...who, isReachable: false })).toBe("unreachable");
});

test("what a tab kept is taken up only where it is one", () => {
  const run = passOne(beginPreparing(chosen("a", "b")), "a", "reached");
  expect(readPreparing(JSON.parse(JSON.stringify(run)))).toEqual(run);
  for (const other of [null, "a", {}, { buyers: [] }, { buyers: [{ id: "a" }] }])
    expect(readPreparing(other)).toBeNull();
});
