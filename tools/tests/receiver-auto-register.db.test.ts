import { expect, test, vi } from "vitest";
import { register } from "../../instrumentation.ts";
import { SPECIFIED_EVENTS } from "#contract/names.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { runWorker } from "#lib/search-index/sync/worker.ts";
import { readReceiver } from "#lib/receiver/store.ts";
import {
  emptyPage,
  jsonAnswer,
  fakeService,
  useBillingServer,
} from "../testing/servers/billing-server.ts";
import { createIndexOwner, storeApiKey } from "../testing/fixtures/search-index-fixture.ts";
import { database, pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { stubEnvironment } from "../testing/person.ts";
import { TEST_SECRET } from "../testing/fixtures/receiver-fixture.ts";

useDashboardDatabase();
useBillingServer();

test("the first sync of a search index registers Duebook's webhook receiver at the service", async () => {
  stubEnvironment({
    NEXT_RUNTIME: "nodejs",
    DATABASE_URL: database.url,
    BILLING_SANDBOX_API_URL: `http://127.0.0.1:${fakeService.port}`,
  });
  let made = 0;
  fakeService.answers = [
    (request, response) => {
      const isMade = request.method === "POST";
      if (isMade) made += 1;
      const one = { event: SPECIFIED_EVENTS[made - 1], endpoint_url: "", is_active: true };
      jsonAnswer(
        isMade ? 201 : 200,
        isMade ? { id: made, created_at: "", ...one } : emptyPage,
        isMade ? { "x-webhook-secret": TEST_SECRET } : {},
      )(request, response);
    },
  ];
  const owner = await createIndexOwner();
  await storeApiKey(owner, "sk_test_second", encryptionKeysOf(env()));
  const elsewhere = await createIndexOwner();
  await pool.query(
    `insert into buyer_return (seller_id, mode, subscription_id, last_at)
     select $1, 'test', n::text, now() - make_interval(days => n) from generate_series(29, 32) n`,
    [elsewhere.seller_id],
  );
  await register();
  try {
    await vi.waitFor(
      async () =>
        expect(
          (await readReceiver(pool, owner, "http://localhost:3000")).registered_at,
        ).not.toBeNull(),
      { timeout: 20_000 },
    );
    // The same slice deletes old returns of buyers, even if no user of that seller opens a page.
    const { rows } = await pool.query("select subscription_id from buyer_return");
    expect(rows).toEqual([{ subscription_id: "29" }]);
    expect(made).toBe(SPECIFIED_EVENTS.length);
  } finally {
    // Waits for the slice that is already running.
    await runWorker(() => Promise.resolve()).close();
  }
});
