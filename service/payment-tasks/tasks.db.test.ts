import { expect, it } from "vitest";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { closeTask, openTask, type NewTask } from "./tasks.ts";

const service = useTestService();
const AT = new Date("2026-03-01T06:00:00Z");
const BY = { id: "m-1", name: "Maya" };

it("a task is opened once, takes a later detail, and stays closed if the same difference is found again", async () => {
  const { seller } = await SellerApi.open(service);
  const { pool } = service;
  const found: NewTask = {
    seller_id: seller.seller_id,
    kind: "statement_only",
    reference: "r-1",
    answered_amount: "10.00",
    answered_currency: "NPR",
    at: AT,
  };
  const close = { at: AT, by: BY, decision: "noted", note: "Ours, from the shop." } as const;
  expect(await openTask(pool, found)).toBe(true);
  expect(await openTask(pool, { ...found, detail: "twice" })).toBe(false);
  expect(await openTask(pool, { ...found, reference: "r-2" })).toBe(true);
  expect(await closeTask(pool, found, close)).toBe(true);
  expect(await closeTask(pool, found, close)).toBe(false);
  expect(await openTask(pool, found)).toBe(false);
  expect(await openTask(pool, { ...found, answered_amount: "11.00" })).toBe(true);
  const { rows } = await pool.query<object>(
    `select reference, answered_amount, detail, closed_by from payment_task
     where seller_id = $1 order by reference, answered_amount`,
    [seller.seller_id],
  );
  expect(rows).toEqual([
    { reference: "r-1", answered_amount: "10.00", detail: "twice", closed_by: "Maya" },
    { reference: "r-1", answered_amount: "11.00", detail: null, closed_by: null },
    { reference: "r-2", answered_amount: "10.00", detail: null, closed_by: null },
  ]);
});
