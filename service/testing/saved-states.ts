import { expect } from "vitest";
import { ClockMove, RestoredAccount, SavedState, StateList } from "#contract/sandbox.ts";
import type { SellerApi } from "./seller-api.ts";

export const saveNamedState = async (api: SellerApi, name = "Before the fair") => {
  const answer = await api.post("/sandbox/states/", { name });
  expect([answer.statusCode, answer.body]).toEqual([201, expect.any(String)]);
  return SavedState.parse(answer.json());
};
export const restoreStateById = async (api: SellerApi, id: number | null) => {
  const answer = await api.post(`/sandbox/states/${id}/restore/`);
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  return RestoredAccount.parse(answer.json());
};
export const listStates = async (api: SellerApi) =>
  StateList.parse((await api.call({ url: "/sandbox/states/" })).json());
export const advanceClockBy = async (api: SellerApi, by: string) =>
  ClockMove.parse((await api.post("/sandbox/clock/advance/", { by })).json());

export const postWebhook = (
  api: SellerApi,
  event: string,
  endpoint_url = "https://shop.example/hook",
) => api.post("/api/v1/webhooks/", { event, endpoint_url });
