import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { AppError, type Failure } from "#lib/failure.ts";
import { NOTHING_SAID } from "#lib/money/leave-reasons.ts";
import { readReportOf } from "#lib/reports/read-report.ts";
import {
  createIndexedSeller,
  makeSubscription,
  storeRecords,
} from "../testing/fixtures/records-fixture.ts";
import { createPerson } from "../testing/person.ts";
import {
  cancelWithReason,
  requireLeaving,
  withdrawLeaving,
} from "#lib/subscriptions/leaving.ts";

useDashboardDatabase();

const ID = "s-1";
const record = (subscription_id: string, status: string) =>
  makeSubscription({
    subscription_id,
    status,
    next_billing_cycle: "2026-12-20T00:00:00+05:45",
  });
const SEARCH = { from: null, to: null, product: null, plan: null, currency: null };

async function open(ids = [ID]) {
  const ending = ids.map((id) => record(id, "pending_cancellation"));
  const owner = await createIndexedSeller(pool, { subscriptions: ending });
  const { id } = await createPerson(pool);
  const giver = { owner, user: { id, name: "Asha" }, seller: { time_zone: "UTC" } };
  const cancel = (subscription_id: string, leaving = NOTHING_SAID, send = async () => "sent") =>
    cancelWithReason(pool, giver, record(subscription_id, "active"), leaving, send);
  const reasons = async () => {
    const { rows } = await pool.query<{ detail: object; cycle: Date }>(
      `select detail, cycle from contact where seller_id = $1 and mode = $2 and kind = 'leave'
          and undone_at is null order by id`,
      [owner.seller_id, owner.mode],
    );
    return rows.map(({ detail }) => detail);
  };
  const report = async (search: object = {}) => {
    const answer = await readReportOf(pool, owner, "leaving", {
      search: { ...SEARCH, ...search },
      time_zone: "Asia/Kathmandu",
      now: new Date(Date.now() + 1_000).toISOString(),
    });
    return answer.state === "ready" ? answer.figure.reasons : answer;
  };
  return { owner, giver, cancel, reasons, report };
}

const failing = (failure: Failure) => () => Promise.reject(new AppError(failure));

test("a reason to leave belongs to its cancellation until the buyer stays or another reason is given", async () => {
  const { giver, cancel, reasons } = await open();
  const said = { reason: "too_expensive", words: "धेरै भयो" };
  expect(await cancel(ID, said)).toBe("sent");
  expect(await reasons()).toEqual([{ reason: "too_expensive", text: "धेरै भयो" }]);
  await cancel(ID, { reason: null, words: "Closing" });
  expect(await reasons()).toEqual([{ text: "Closing" }]);
  await withdrawLeaving(pool, giver, { subscription_id: ID });
  expect(await reasons()).toEqual([]);
});

test("the reason to leave is dropped if the cancellation is refused, and kept if its answer is lost", async () => {
  const { cancel, reasons } = await open();
  const said = { reason: "not_used", words: "" };
  await expect(cancel(ID, said, failing({ kind: "forbidden" }))).rejects.toThrow("forbidden");
  expect(await reasons()).toEqual([]);
  const lost = failing({ kind: "unavailable", outcome_unknown: true });
  await expect(cancel(ID, said, lost)).rejects.toThrow("unavailable");
  expect(await reasons()).toEqual([{ reason: "not_used" }]);
  const refused = failing({ kind: "conflict", detail: "ended" });
  await expect(cancel(ID, NOTHING_SAID, refused)).rejects.toThrow("conflict");
  expect(await reasons()).toEqual([{ reason: "not_used" }]);
  await cancel(ID, { reason: "closing", words: "" });
  expect(await reasons()).toEqual([{ reason: "closing" }]);
});

test("the report of reasons to leave counts each ending subscription once, and none of another seller", async () => {
  const { owner, cancel, report } = await open(["s-1", "s-2", "s-3", "s-4"]);
  const other = await open();
  await other.cancel(ID, { reason: "closing", words: "" });
  for (const id of ["s-1", "s-2"]) await cancel(id, { reason: "not_used", words: "" });
  await cancel("s-2", { reason: "Own words", words: "" });
  await cancel("s-3");
  await cancel("s-4", { reason: "closing", words: "" });
  await storeRecords(pool, owner, { subscriptions: [record("s-4", "active")] });
  expect(await report()).toEqual([
    { reason: "Own words", count: 1, before: 0 },
    { reason: "not_used", count: 1, before: 0 },
    { reason: null, count: 1, before: 0 },
  ]);
  expect(await report({ from: "2020-01-01", to: "2020-01-31" })).toEqual([]);
  expect(await report({ product: "Something else" })).toEqual([]);
});

test("a reason to leave is required only if the seller says so, and must be on the list", () => {
  const seller = (needs_leave_reason: boolean) =>
    ({ leave_reasons: ["closing"], needs_leave_reason }) as Parameters<
      typeof requireLeaving
    >[0];
  expect(requireLeaving(seller(false), NOTHING_SAID)).toEqual(NOTHING_SAID);
  expect(requireLeaving(seller(true), { reason: "closing", words: "" }).reason).toBe("closing");
  const unlisted = { reason: "gone", words: "" };
  expect(requireLeaving(seller(false), unlisted).reason).toBeNull();
  for (const said of [NOTHING_SAID, unlisted])
    expect(() => requireLeaving(seller(true), said)).toThrow("validation");
});
