import { expect, it } from "vitest";
import { toInternational } from "./phone.ts";

it.each([
  ["9800000001", "+9779800000001"],
  ["+977 980-000 0001", "+9779800000001"],
  ["009779800000001", "+9779800000001"],
  ["+1 415 555 2671", "+14155552671"],
  ["12", null],
  ["", null],
])("reads %j of a seller in Nepal as %j", (phone, read) => {
  expect(toInternational(phone, { time_zone: "Asia/Kathmandu", currency: "USD" })).toBe(read);
});

it("needs a country code where the seller's country is not known", () => {
  const unknown = { time_zone: "UTC", currency: "USD" };
  expect(toInternational("9800000001", unknown)).toBeNull();
  expect(toInternational("+9779800000001", unknown)).toBe("+9779800000001");
  const read = (seller: { time_zone: string; currency: string }) =>
    toInternational("9800000001", seller);
  expect(read({ time_zone: "Asia/Kolkata", currency: "NPR" })).toBe("+919800000001");
  expect(read({ time_zone: "UTC", currency: "NPR" })).toBe("+9779800000001");
});
