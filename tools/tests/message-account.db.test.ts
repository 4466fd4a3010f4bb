import { afterAll, beforeAll, expect, it } from "vitest";
import { reminderStep } from "../../service/testing/reminders/schedule.ts";
import {
  startTestService,
  TEST_ACCOUNTS_TOKEN,
  type TestService,
} from "../../service/testing/service.ts";
import {
  findMessageClient,
  isMessagesOnly,
  openMessageAccount,
} from "#lib/billing/message-account.ts";
import { planReminders } from "#lib/reminders/planner.ts";
import { previewElsewhere } from "#lib/reminders/preview.ts";
import { PreviewReminders } from "#contract/reminders.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { createTestDatabase, type TestDatabase } from "../testing/database.ts";
import { database, pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { createIndexedSeller, makeSubscription } from "../testing/fixtures/records-fixture.ts";
import { stubEnvironment } from "../testing/person.ts";

/** Tests reminders about another service's subscriptions, sent by this installation's own service. */
useDashboardDatabase();
let own: TestDatabase;
let service: TestService;

beforeAll(async () => {
  own = await createTestDatabase("service");
  service = await startTestService(own.url);
  stubEnvironment({
    DATABASE_URL: database.url,
    BILLING_SANDBOX_API_URL: "https://billing.another.example",
    MESSAGES_SANDBOX_API_URL: await service.app.listen({ host: "127.0.0.1", port: 0 }),
    MESSAGES_SANDBOX_ACCOUNTS_TOKEN: TEST_ACCOUNTS_TOKEN,
  });
});
afterAll(async () => {
  await service.close();
  await own.drop();
});

const SELLER = { name: "Phewa", time_zone: "Asia/Kathmandu", currency: "NPR" };

it("a seller of another service opens an account for messages here, which previews and queues reminders", async () => {
  const subscription = makeSubscription({ next_billing_cycle: "2026-12-01T06:15:00.000Z" });
  const owner = await createIndexedSeller(pool, { subscriptions: [subscription] });
  const keys = encryptionKeysOf(env());
  expect(await findMessageClient(owner)).toBeNull();
  await openMessageAccount(pool, owner, SELLER, keys);
  expect(await isMessagesOnly(pool, owner)).toBe(true);
  const open = async () => {
    const client = await findMessageClient(owner);
    if (!client) throw new Error("no client");
    return client;
  };
  service.clock.set("2026-11-20T04:00:00Z");
  const settings = { url: "http://127.0.0.1:9/sms", successText: "ok" };
  await (
    await open()
  ).saveChannel("sms", {
    provider: "http_sms",
    settings,
    templates: [],
    is_active: true,
    per_minute: 60,
    version: null,
  });
  const draft = PreviewReminders.parse({ steps: [reminderStep("before", { days: 3 })] });
  const planning = {
    db: pool,
    owner,
    messages: await open(),
    linkOf: (id: string) => `https://pay.example/pay/${id}`,
    billing: {
      getSubscription: async () => subscription,
      listProducts: async () => ({ count: 0, next: null, previous: null, results: [] }),
    },
  };
  expect(
    await previewElsewhere({ ...planning, now: () => service.clock.now() }, draft),
  ).toMatchObject({
    results: [
      { step: 0, at: "2026-11-28T06:15:00.000Z", channel: "sms", text: /NPR 500/, parts: 1 },
    ].map(({ text, ...shown }) => ({ ...shown, text: expect.stringMatching(text) })),
  });
  await (await open()).changeSchedule({ version: null, is_on: true, steps: draft.steps });

  service.clock.set("2026-11-28T06:20:00Z");
  const sent = async () =>
    (
      await planning.messages.listMessages({
        subscription_id: subscription.subscription_id,
        state: null,
        kind: "reminder",
        before: null,
        page_size: 20,
      })
    ).results;
  for (let round = 0; round < 2; round += 1)
    await planReminders({ ...planning, now: () => service.clock.now() });
  expect(await sent()).toMatchObject([
    { state: "queued", channel: "sms", to: subscription.client.phone },
  ]);

  // A schedule is off in an account that is opened again, such as after the connection was removed.
  await pool.query("delete from message_account");
  await openMessageAccount(pool, owner, SELLER, keys);
  expect(await (await open()).readSchedule()).toMatchObject({
    is_on: false,
    steps: [{ kind: "before" }],
  });
});
