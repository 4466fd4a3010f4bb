import { expect, test } from "vitest";
import { recordRemovedEndpoint } from "#lib/billing/webhook-endpoints.ts";
import {
  clientOf,
  emptyPage,
  jsonAnswer,
  fakeService,
  useBillingServer,
} from "#tools/testing/servers/billing-server.ts";
import { createIndexOwner } from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { hasWebhook } from "./data.ts";

useDashboardDatabase();
useBillingServer();

const webhook = {
  id: 7,
  event: "checkout.succeeded",
  endpoint_url: "https://shop.example/hooks",
  is_active: false,
  created_at: "2026-11-20T06:15:00Z",
};

test("a removed webhook endpoint does not complete the setup step for webhooks", async () => {
  const owner = await createIndexOwner();
  const asked = () => hasWebhook(pool, owner, clientOf());
  fakeService.answers = [jsonAnswer(200, { ...emptyPage, count: 1, results: [webhook] })];
  await expect(asked()).resolves.toBe(true);
  await recordRemovedEndpoint(pool, owner, webhook);
  await expect(asked()).resolves.toBe(false);
  fakeService.answers = [jsonAnswer(404, { detail: "Not found." })];
  await expect(asked()).resolves.toBe("not_shown");
});
