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
  expect(toInternational(phone, "Asia/Kathmandu")).toBe(read);
});

it("needs a country code where the seller's country is not known", () => {
  expect(toInternational("9800000001", "UTC")).toBeNull();
  expect(toInternational("+9779800000001", "UTC")).toBe("+9779800000001");
  expect(toInternational("9800000001", "Asia/Kolkata")).toBe("+919800000001");
});
