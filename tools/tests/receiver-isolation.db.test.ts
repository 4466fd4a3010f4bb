import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import * as registrations from "#lib/billing/receiver-endpoints.ts";
import * as secrets from "#lib/billing/receiver-secrets.ts";
import {
  markNotificationsRead,
  readNotifications,
} from "#lib/notifications/notification-store.ts";
import {
  readReceivedDelivery,
  readReceiver,
  storeDelivery,
  storeInTransaction,
  type DeliveryToStore,
} from "#lib/receiver/store.ts";
import { endpointIdOf, renewReceiver } from "#lib/receiver/register.ts";
import { recheckStored } from "#lib/receiver/recheck.ts";
import { ROOT } from "#scripts/process/settings.ts";
import {
  clientOf,
  emptyPage,
  jsonAnswer,
  fakeService,
  useBillingServer,
} from "../testing/servers/billing-server.ts";
import { createIndexOwner, TEST_KEYS } from "../testing/fixtures/search-index-fixture.ts";
import { testIsolation } from "../testing/isolation.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import {
  deliverTo,
  storeReceiverSecret,
  TEST_SECRET,
  signedRequest,
  readReceiverToken,
} from "../testing/fixtures/receiver-fixture.ts";

useDashboardDatabase();
useBillingServer();
let owner: KeyOwner;
let token: string;
let user_id: string;
const now = new Date().toISOString();

const webhook = {
  id: 7,
  event: "checkout.failed",
  endpoint_url: "",
  is_active: true,
  created_at: "2026-11-20T00:00:00Z",
} as const;

const DELIVERY: DeliveryToStore = {
  verdict: "verified",
  reason: null,
  payload: null,
  delivery_id: "msg-1",
  earlier_id: null,
  text: "{}",
  check: { signed_at: null },
  scheme: { signs: "body" },
  headers: {},
  is_flooded: false,
};

/** Each function, called by another seller with ids and secrets of the owner. */
const TRIALS: Record<string, (who: KeyOwner) => Promise<unknown>> = {
  "receiver-secrets.ts addSecret": (who) => storeReceiverSecret(who, TEST_SECRET, 7),
  "receiver-secrets.ts storeRotatedSecret": (who) =>
    secrets.storeRotatedSecret(pool, who, { webhook_id: 7, secret: TEST_SECRET }, TEST_KEYS),
  "receiver-secrets.ts storeOwnSecret": (who) => {
    const made = { ...webhook, endpoint_url: `http://localhost/api/received/${token}` };
    const given = { webhook: made, secret: TEST_SECRET, is_new: true };
    return secrets.storeOwnSecret(pool, who, given, TEST_KEYS);
  },
  "receiver-endpoints.ts checkEndpoints": (who) => {
    fakeService.answers = [jsonAnswer(200, emptyPage)];
    return registrations.checkEndpoints(pool, who, clientOf());
  },
  "receiver-endpoints.ts recordEndpoints": (who) => {
    const list = { webhooks: [], is_complete: true, absence: null };
    return registrations.recordEndpoints(pool, who, list, new Date().toISOString());
  },
  "receiver-endpoints.ts recordEndpointChange": (who) =>
    registrations.recordEndpointChange(pool, who, {
      id: 1,
      endpoint_url: "",
      is_active: false,
    }),
  "register.ts renewReceiver": (who) => renewReceiver(pool, who),
  "register.ts endpointIdOf": (who) => endpointIdOf(pool, who, "checkout.failed"),
  "store.ts readReceivedDelivery": async (who) => {
    const { rows } = await pool.query<{ id: string }>(
      "select id::text from received_delivery where seller_id = $1",
      [owner.seller_id],
    );
    const found = await readReceivedDelivery(pool, who, rows[0]?.id ?? "").catch(() => null);
    expect(found).toBeNull();
  },
  "store.ts readReceiver": (who) => readReceiver(pool, who, "http://localhost"),
  "recheck.ts recheckStored": (who) => recheckStored(pool, who, TEST_KEYS),
  "store.ts storeDelivery": (who) => storeDelivery(pool, who, DELIVERY),
  "store.ts storeInTransaction": (who) => storeInTransaction(pool, who, DELIVERY),
  "data.ts readNotifications": (who) => readNotifications(pool, who, { user_id, now }),
  "data.ts markNotificationsRead": async (who) => {
    // The user is no member of that seller.
    await markNotificationsRead(pool, who, { user_id, until: new Date().toISOString() }).catch(
      () => {},
    );
  },
};

/**
 * Functions that are not tried: the URL determines the seller, or they register endpoints at the
 * service with the owner's own key.
 */
const WITHOUT_OWNER = new Set([
  "receive.ts receiveDelivery",
  "auto-register.ts autoRegister",
  "auto-register.ts registerOncePerKey",
  "register.ts registerEndpoint",
]);

beforeAll(async () => {
  owner = await createIndexOwner();
  token = await readReceiverToken(owner);
  await storeReceiverSecret(owner, TEST_SECRET, 7);
  const { rows } = await pool.query<{ user_id: string }>(
    `with person as (insert into app_user (email, name, password_hash)
                     values ('asha@example.com', 'Asha', '') returning id)
     insert into membership (user_id, seller_id, role) select id, $1, 'viewer' from person
     returning user_id`,
    [owner.seller_id],
  );
  user_id = rows[0]?.user_id ?? "";
  await deliverTo(token, await signedRequest());
});

testIsolation(
  () => owner,
  ["receiver", "receiver_secret", "received_delivery", "notification_seen"],
  TRIALS,
);

test("the owner finds the received deliveries that another seller must not find", async () => {
  expect(JSON.stringify(await readReceiver(pool, owner, "http://localhost"))).toMatch(/sub-1/);
  expect(JSON.stringify(await readNotifications(pool, owner, { user_id, now }))).toMatch(
    /sub-1/,
  );
});

test("a malformed delivery id is reported as a validation failure", async () => {
  for (const id of ["x", "", "0", "1.5", "-1", "9".repeat(19)])
    await expect(readReceivedDelivery(pool, owner, id)).rejects.toMatchObject({
      failure: { kind: "validation" },
    });
  await expect(readReceivedDelivery(pool, owner, "999999999")).rejects.toMatchObject({
    failure: { kind: "not_found" },
  });
});

test("every receiver function that queries the database is called in these isolation tests", () => {
  const files = globSync(
    ["lib/receiver/*.ts", "lib/notifications/data.ts", "lib/billing/receiver-*.ts"],
    { cwd: ROOT },
  );
  const untried = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    return [
      ...text.matchAll(/^export (?:async )?function (\w+)\(\s*(\w+): (?:Database|pg\.Pool)/gm),
    ]
      .map(([, name]) => `${file.replaceAll("\\", "/").split("/").at(-1)} ${name}`)
      .filter((name) => !(name in TRIALS) && !WITHOUT_OWNER.has(name));
  });
  expect(files.length).toBeGreaterThan(10);
  expect(untried).toEqual([]);
});
