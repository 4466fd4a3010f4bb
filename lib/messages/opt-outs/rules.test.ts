import { expect, it } from "vitest";
import { optOutsOf } from "./rules.ts";

const out = (id: number, phone: string, email: string) => ({
  id,
  phone,
  email,
  opted_out_at: "2026-11-01T00:00:00Z",
  how: null,
  reason: null,
});

it("an opt-out applies to a buyer with the same phone number or email address, in any notation", () => {
  const found = [
    out(1, "+977 980-0000001", ""),
    out(2, "", "A@x.com"),
    out(3, "98000000012", "maya@x.com"),
    out(4, "", ""),
  ];
  const idsOf = (phone: string, email: string) =>
    optOutsOf(found, { phone, email, time_zone: "Asia/Kathmandu" }).map(({ id }) => id);
  expect(idsOf("9800000001", "a@x.com")).toEqual([1, 2]);
  expect(idsOf("", " a@x.com")).toEqual([2]);
  expect(idsOf("", "")).toEqual([]);
});
