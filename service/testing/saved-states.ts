import { expect } from "vitest";
import { ClockMove, Restored, SavedState, StateList } from "#contract/sandbox.ts";
import type { Desk } from "./desk.ts";

export const save = async (desk: Desk, name = "Before the fair") => {
  const answer = await desk.post("/sandbox/states/", { name });
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
  return SavedState.parse(answer.json());
};
export const restore = async (desk: Desk, id: number | null) => {
  const answer = await desk.post(`/sandbox/states/${id}/restore/`);
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return Restored.parse(answer.json());
};
export const listStates = async (desk: Desk) =>
  StateList.parse((await desk.call({ url: "/sandbox/states/" })).json());
export const advance = async (desk: Desk, by: string) =>
  ClockMove.parse((await desk.post("/sandbox/clock/advance/", { by })).json());

export const register = (
  desk: Desk,
  event: string,
  endpoint_url = "https://shop.example/hook",
) => desk.post("/api/v1/webhooks/", { event, endpoint_url });
