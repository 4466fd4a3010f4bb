import { expect, test } from "vitest";
import { doctorPath, parseDoctorSearch } from "./search.ts";

test("the address picks a delivery and an attempt, or nothing", () => {
  expect(parseDoctorSearch({ delivery: "12", attempt: "3" })).toEqual({
    delivery: "12",
    attempt: 3,
    received: null,
  });
  expect(parseDoctorSearch({ delivery: "../x", attempt: "0" })).toEqual({
    delivery: null,
    attempt: null,
    received: null,
  });
  expect(parseDoctorSearch({ delivery: "12", received: "7" })).toEqual({
    delivery: null,
    attempt: null,
    received: "7",
  });
  expect(doctorPath({ delivery: "12", attempt: 3 })).toBe(
    "/settings/webhooks/doctor?delivery=12&attempt=3",
  );
  expect(doctorPath()).toBe("/settings/webhooks/doctor");
});
