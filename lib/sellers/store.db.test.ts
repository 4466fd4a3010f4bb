import { expect, test } from "vitest";
import { findMembership, listMemberships } from "#lib/auth/sessions/session.ts";
import { failureOf } from "#lib/failure.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createSeller, updateSeller } from "./store.ts";

const DETAILS = {
  name: "फेवा गृह सेवा",
  time_zone: "Asia/Kathmandu",
  currency: "NPR",
  amount_style: "code_lakh",
} as const;

useDashboardDatabase();
let made = 0;

async function person(): Promise<string> {
  made += 1;
  const { rows } = await pool.query<{ id: string }>(
    "insert into app_user (email, name, password_hash) values ($1, 'Asha', 'none') returning id",
    [`founder${made}@example.com`],
  );
  return rows[0]?.id ?? "";
}

test("the creator of a seller becomes its owner, and the audit log has an entry", async () => {
  const user_id = await person();
  const { code } = await createSeller(pool, user_id, DETAILS);
  const membership = await findMembership(pool, user_id, code);
  expect(membership).toMatchObject({ role: "owner", seller: { ...DETAILS, return_url: null } });
  const { rows } = await pool.query(
    "select action, result, user_id from audit_log where seller_id = $1",
    [membership?.seller.id],
  );
  expect(rows).toEqual([{ action: "seller.create", result: "done", user_id }]);
});

test("the code of a seller in URLs never changes", async () => {
  const user_id = await person();
  const { code } = await createSeller(pool, user_id, DETAILS);
  const id = (await findMembership(pool, user_id, code))?.seller.id ?? "";
  const changed = {
    name: "Phewa",
    time_zone: "UTC",
    currency: "USD",
    amount_style: "symbol",
    return_url: "https://shop.example/thanks",
    leave_reasons: ["too_expensive", "दूध चाहिएन"],
    needs_leave_reason: true,
  } as const;
  await updateSeller(pool, id, changed);
  await expect(findMembership(pool, user_id, code)).resolves.toMatchObject({
    seller: { id, code, ...changed },
  });
});

test("one person can own at most twenty sellers, even with simultaneous requests", async () => {
  const user_id = await person();
  const kinds = await Promise.all(
    Array.from({ length: 25 }, () =>
      createSeller(pool, user_id, DETAILS).then(
        () => "done",
        (error: unknown) => failureOf(error).kind,
      ),
    ),
  );
  expect(kinds.filter((kind) => kind === "conflict")).toHaveLength(5);
  await expect(listMemberships(pool, user_id)).resolves.toHaveLength(20);
});
