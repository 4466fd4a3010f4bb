import { expect, test } from "vitest";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import { differencesBetween, explainCount, type CountLine } from "./differences.ts";

const record = new ChangingService().create({ next_billing_cycle: "2026-12-01T00:00:00Z" });

test("a difference lists the fields that differ, with the values of the service and of the index", () => {
  const other = structuredClone(record);
  other.status = "due";
  other.client.phone = "9800000000";
  other.next_billing_cycle = null;
  other.client.billing = {
    business_name: "Phewa",
    email: "",
    address: "",
    pan_vat: "012345678",
  };
  expect(differencesBetween(record, other)).toEqual([
    { field: "status", service: "active", index: "due" },
    { field: "client.phone", service: record.client.phone, index: "9800000000" },
    { field: "next_billing_cycle", service: "2026-12-01T00:00:00Z", index: null },
    { field: "client.billing.business_name", service: null, index: "Phewa" },
    { field: "client.billing.email", service: null, index: "" },
    { field: "client.billing.address", service: null, index: "" },
    { field: "client.billing.pan_vat", service: null, index: "012345678" },
  ]);
});

test("different notations of the same moment or amount are no difference", () => {
  const other = structuredClone(record);
  other.next_billing_cycle = "2026-12-01T05:45:00.000+05:45";
  other.product.price = "1200.0";
  expect(differencesBetween(record, other)).toEqual([]);
});

const line = (key: "count" | "total", service: number | null): CountLine => ({
  of: "counter",
  key,
  service,
  index: 0,
});

test("surplus rows of the index are explained by one-time purchases, and the remainder is counted", () => {
  const lines = [line("count", 42), line("total", 40)];
  expect(explainCount(lines, 2)).toEqual({ count: 42, total: 40, one_time: 2, unexplained: 0 });
  expect(explainCount(lines, 1)?.unexplained).toBe(1);
  expect(explainCount(lines, 3)?.unexplained).toBe(-1);
});

test("surplus rows are not explained if the service gives only one of the two counts", () => {
  expect(explainCount([line("count", null), line("total", 40)], 2)).toBeNull();
  expect(explainCount([line("count", 42)], 2)).toBeNull();
});
