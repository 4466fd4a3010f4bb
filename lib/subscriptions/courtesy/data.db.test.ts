import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#scripts/testing/dashboard.ts";
import { makeCopy, makeSubscription } from "#scripts/testing/made-copy.ts";
import { createPerson } from "#scripts/testing/person.ts";
import { keepCourtesy } from "./data.ts";

useDashboardDatabase();

test("a courtesy stands among what was done, about the new billing date", async () => {
  const owner = await makeCopy(pool);
  const { id } = await createPerson(pool);
  const giver = { owner, user: { id, name: "Asha" }, seller: { time_zone: "Asia/Kathmandu" } };
  const before = makeSubscription({
    subscription_id: "s-1",
    next_billing_cycle: "2026-12-20T00:00:00+05:45",
  });
  const after = { ...before, next_billing_cycle: "2026-12-27T00:00:00+05:45" };
  const courtesy = { reason: "hardship", words: "बिरामी" } as const;
  await keepCourtesy(pool, giver, courtesy, { before, day: "2026-12-27", after });
  await keepCourtesy(
    pool,
    giver,
    { reason: "taken_back", words: "" },
    {
      before: after,
      day: "2026-12-20",
      after: null,
    },
  );
  const { rows } = await pool.query(
    `select kind, person_name, detail, cycle from contact
      where seller_id = $1 and mode = $2 and subscription_id = 's-1' order by id`,
    [owner.seller_id, owner.mode],
  );
  expect(rows).toEqual([
    {
      kind: "courtesy",
      person_name: "Asha",
      detail: { before: "2026-12-20", after: "2026-12-27", reason: "hardship", text: "बिरामी" },
      cycle: new Date("2026-12-26T18:15:00Z"),
    },
    {
      kind: "courtesy",
      person_name: "Asha",
      detail: { before: "2026-12-27", after: "2026-12-20", reason: "taken_back" },
      cycle: new Date("2026-12-26T18:15:00Z"),
    },
  ]);
});
