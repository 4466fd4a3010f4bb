import { expect, test } from "vitest";
import { createIndexOwner } from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { recordRemovedEndpoint, withoutRemovedEndpoints } from "./webhook-endpoints.ts";

useDashboardDatabase();

const webhook = { id: 7, endpoint_url: "https://shop.example/old", is_active: false };
const other = { ...webhook, id: 8 };

test("a removed webhook endpoint is hidden unless it is switched on again", async () => {
  const owner = await createIndexOwner();
  const shown = (...webhooks: (typeof webhook)[]) =>
    withoutRemovedEndpoints(pool, owner, webhooks);
  await expect(shown(webhook, other)).resolves.toEqual([webhook, other]);
  await recordRemovedEndpoint(pool, owner, webhook);
  await recordRemovedEndpoint(pool, owner, webhook);
  await expect(shown(webhook, other)).resolves.toEqual([other]);
  const switchedOn = { ...webhook, is_active: true };
  await expect(shown(switchedOn)).resolves.toEqual([switchedOn]);
});

test("a removed webhook endpoint does not hide the same id of another seller, mode or URL", async () => {
  const owner = await createIndexOwner();
  await recordRemovedEndpoint(pool, owner, webhook);
  const elsewhere = { ...webhook, endpoint_url: "https://other.example/" };
  await expect(withoutRemovedEndpoints(pool, owner, [elsewhere])).resolves.toEqual([elsewhere]);
  for (const stranger of [await createIndexOwner(), { ...owner, mode: "live" as const }])
    await expect(withoutRemovedEndpoints(pool, stranger, [webhook])).resolves.toEqual([
      webhook,
    ]);
});
