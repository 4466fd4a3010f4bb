import { expect, test } from "vitest";
import type { QueueEntry } from "./queries.ts";
import { NEVER_CONTACTED, type CollectionStatus } from "./rules.ts";
import {
  addRecipients,
  startOutreach,
  withRecipients,
  countOutcomes,
  MAX_RECIPIENTS,
  nextRecipient,
  skippedOutcomeOf,
  finishRecipient,
  clearRecipientOutcome,
  parseOutreach,
  reopenRecipient,
} from "./outreach.ts";

const chosen = (...ids: string[]) => ids.map((id) => ({ id, name: `Buyer ${id}`, seen: null }));
const idOf = (run: Parameters<typeof nextRecipient>[0]) => nextRecipient(run)?.id ?? null;

test("an outreach takes its recipients in order, and skipped recipients again at the end", () => {
  let run = startOutreach(chosen("a", "b", "c"));
  expect(idOf(run)).toBe("a");
  run = finishRecipient(reopenRecipient(run, "b"), "b", "written");
  expect(idOf(run)).toBe("c");
  run = finishRecipient(run, "c", "skipped");
  expect(idOf(run)).toBe("a");
  run = finishRecipient(run, "a", "unreachable");
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

test("a recipient whose contact is undone is next in the outreach, and other recipients keep their outcome", () => {
  let run = finishRecipient(startOutreach(chosen("a", "b")), "a", "written");
  expect(finishRecipient(run, "elsewhere", "written")).toBe(run);
  run = finishRecipient(run, "b", "written");
  expect(idOf(reopenRecipient(run, "elsewhere"))).toBeNull();
  run = reopenRecipient({ ...run, isPaused: true }, "a");
  expect(idOf(run)).toBe("a");
  expect(run.isPaused).toBe(false);
  expect(countOutcomes(run)).toMatchObject({ done: 1, total: 2 });
});

test("the late outcome of an earlier recipient does not change who is next in the outreach", () => {
  let run = finishRecipient(startOutreach(chosen("a", "b", "c")), "a", "skipped");
  run = finishRecipient(finishRecipient(run, "b", "skipped"), "a", "written");
  expect(idOf(run)).toBe("c");
  expect(run.buyers.map(({ outcome }) => outcome)).toEqual(["written", "skipped", null]);
  expect(finishRecipient(run, "a", "skipped")).toBe(run);
  run = clearRecipientOutcome(run, "a");
  expect(idOf(run)).toBe("c");
  expect(idOf(finishRecipient(run, "c", "written"))).toBe("a");
  expect(clearRecipientOutcome(run, "elsewhere")).toEqual(run);
});

test("recipients that are added to an outreach come last, and no recipient is in it twice", () => {
  let run = finishRecipient(startOutreach(chosen("a", "b", "c")), "a", "skipped");
  run = addRecipients({ ...run, isPaused: true }, chosen("c", "a", "d"));
  expect(run.isPaused).toBe(false);
  expect(run.buyers.map(({ id, outcome }) => [id, outcome])).toEqual([
    ["b", null],
    ["c", null],
    ["a", null],
    ["d", null],
  ]);
  expect(idOf(run)).toBe("b");
  const later = addRecipients(finishRecipient(run, "b", "written"), chosen("e"));
  expect(idOf(later)).toBe("c");
  expect(countOutcomes(later)).toMatchObject({ done: 1, total: 5 });
});

test("an outreach has at most 200 recipients", () => {
  const many = chosen(...Array.from({ length: MAX_RECIPIENTS + 1 }, (_, at) => String(at)));
  expect(startOutreach(many).buyers).toHaveLength(MAX_RECIPIENTS);
});

test("a skipped buyer's outcome says whether the buyer has paid, was contacted or is unreachable", () => {
  const last = { id: "12", at: "", person: { id: "sita", name: "Sita" }, channel: null };
  const entry = (
    more: Partial<QueueEntry["contacted"]>,
    group: CollectionStatus["group"] = "due",
  ) => ({
    status: { group } as CollectionStatus,
    contacted: { ...NEVER_CONTACTED, ...more },
  });
  const who = { person: "bina", seen: "9", isReachable: true, isTold: false };
  expect(skippedOutcomeOf(entry({ last }), who)).toBe("reached");
  expect(skippedOutcomeOf(entry({ last }), { ...who, person: "sita" })).toBe("written");
  expect(skippedOutcomeOf(entry({ last }), { ...who, seen: "12" })).toBe("skipped");
  expect(skippedOutcomeOf(entry({}, null), who)).toBe("settled");
  expect(skippedOutcomeOf(entry({}), { ...who, isReachable: false })).toBe("unreachable");
  expect(skippedOutcomeOf(entry({}, null), { ...who, isTold: true })).toBe("skipped");
});

test("buyers who are told of a new price join an unfinished outreach, and replace a finished one", () => {
  const price = (amount: string) => ({ amount, currency: "NPR" });
  const notice = { day: "2026-12-24", before: price("1000.00"), after: price("1200.00") };
  const told = chosen("c").map((one) => ({ ...one, notice }));
  const run = finishRecipient(startOutreach(chosen("a", "b")), "a", "written");
  const joined = withRecipients(run, told);
  expect(joined.buyers.map(({ id }) => id)).toEqual(["a", "b", "c"]);
  expect(parseOutreach(JSON.parse(JSON.stringify(joined)))).toEqual(joined);
  const finished = finishRecipient(run, "b", "skipped");
  expect(withRecipients(finished, told).buyers).toMatchObject([{ id: "c", notice }]);
  const broken = { ...joined, buyers: [{ ...told[0], outcome: null, notice: { day: 1 } }] };
  expect(parseOutreach(broken)).toBeNull();
});

test("a stored outreach is resumed only if its data is valid", () => {
  const run = finishRecipient(startOutreach(chosen("a", "b")), "a", "reached");
  expect(parseOutreach(JSON.parse(JSON.stringify(run)))).toEqual(run);
  for (const other of [null, "a", {}, { buyers: [] }, { buyers: [{ id: "a" }] }])
    expect(parseOutreach(other)).toBeNull();
});
