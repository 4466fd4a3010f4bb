import { expect, test } from "vitest";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import {
  clientOf,
  emptyPage,
  jsonAnswer,
  fakeService,
  useBillingServer,
} from "#tools/testing/servers/billing-server.ts";
import { readProductCatalogue } from "./data.ts";

useBillingServer();

test("the day of the product catalogue follows the service's clock, which can be ahead", async () => {
  const now = "2026-11-22T09:00:00.000Z";
  const signedIn = {
    scope: { seller: "phewa", mode: "test" },
    billing: clientOf(),
    now,
    seller: { time_zone: "Asia/Kathmandu" },
  } as SignedIn;
  const ahead = { now: "2026-12-22T20:00:00.000Z", real_now: now, is_ahead: true };
  // Both requests get the same answer, and each reads its own fields from it.
  const both = { ...emptyPage, ...ahead, time_zone: "UTC", next_transition_at: null };
  fakeService.answers = [jsonAnswer(200, both)];
  expect(await readProductCatalogue(signedIn)).toEqual({
    products: [],
    is_complete: true,
    today: "2026-12-23",
  });
});
