import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { createIndexOwner } from "#tools/testing/fixtures/search-index-fixture.ts";
import {
  clientOf,
  fakeService,
  jsonAnswer,
  useBillingServer,
} from "#tools/testing/servers/billing-server.ts";
import { resendWaiting } from "./resend-waiting.ts";

useDashboardDatabase();
useBillingServer();
const billing = () => clientOf("", 5_000, { offeredExtensions: ["account"] });
const asked = () => fakeService.seen.map(({ method, url }) => `${method} ${url}`);

const retrying = (id: number, webhook_id: number) => ({
  id,
  event_id: `msg_${id}`,
  event: "checkout.failed",
  webhook_id,
  endpoint_url: "https://desk.example/",
  subscription_id: "s",
  state: "retrying",
  attempts: 3,
  last_response_code: null,
  last_error: "Connection refused.",
  next_attempt_at: "2026-11-27T09:00:00Z",
  created_at: "2026-11-27T08:30:00Z",
  finished_at: null,
});

test("waiting deliveries to the receiver are resent, oldest first, and those to other endpoints are not", async () => {
  const owner = await createIndexOwner();
  await pool.query(
    `update receiver set registrations = '{"checkout.failed": 7, "checkout.succeeded": 8}'
      where seller_id = $1`,
    [owner.seller_id],
  );
  const results = [retrying(13, 8), retrying(12, 9), retrying(11, 7)];
  fakeService.answers = [
    jsonAnswer(200, { next: null, results }),
    jsonAnswer(200, { message: "Sent." }),
  ];
  await resendWaiting(pool, owner, billing());
  expect(asked()).toEqual([
    "GET /account/v1/deliveries/?state=retrying&page_size=100",
    "POST /account/v1/deliveries/11/resend/",
    "POST /account/v1/deliveries/13/resend/",
  ]);
});

test("without a registered receiver or a list of deliveries, nothing is resent", async () => {
  const owner = await createIndexOwner();
  await resendWaiting(pool, owner, billing());
  expect(asked()).toEqual([]);
  await pool.query("update receiver set registrations = '{\"checkout.failed\": 7}'");
  fakeService.answers = [jsonAnswer(404, { detail: "Not found." })];
  await resendWaiting(pool, owner, billing());
  expect(asked().filter((each) => each.startsWith("POST"))).toEqual([]);
});
