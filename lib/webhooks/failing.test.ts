import { expect, test } from "vitest";
import { groupFailingEndpoints } from "./failing.ts";

test("failing deliveries and switched-off events are grouped by endpoint URL", () => {
  const at = (endpoint_url: string) => ({ endpoint_url });
  expect(
    groupFailingEndpoints(
      [at("a"), at("b"), at("b")],
      [at("b"), at("d")],
      [at("a"), at("c"), at("c")],
    ),
  ).toEqual([
    { endpoint_url: "b", retrying: 2, given_up: 1, is_off: false },
    { endpoint_url: "a", retrying: 1, given_up: 0, is_off: true },
    { endpoint_url: "d", retrying: 0, given_up: 1, is_off: false },
    { endpoint_url: "c", retrying: 0, given_up: 0, is_off: true },
  ]);
  expect(groupFailingEndpoints([], [], [])).toEqual([]);
});
