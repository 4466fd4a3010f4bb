import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import * as kept from "#lib/collection/contacts-store.ts";
import { readSaidPaid } from "#lib/collection/by-hand/said-paid-store.ts";
import * as paid from "#lib/collection/payments-store.ts";
import * as queue from "#lib/collection/queue-store.ts";
import * as settings from "#lib/collection/settings-store.ts";
import * as results from "#lib/reports/reminders/store.ts";
import { readIndexedSubscription } from "#lib/collection/subscription-cycle.ts";
import { parseQueueSearch } from "#lib/collection/search.ts";
import { readFirstPages } from "#lib/collection/first-pages.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { ChangingService } from "../testing/servers/changing-service.ts";
import { createIndexOwner, runSlice } from "../testing/fixtures/search-index-fixture.ts";
import { testIsolation } from "../testing/isolation.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";

const SUBSCRIPTION = "sub-3";
/** A person can work for several sellers: the same user must find nothing of another seller. */
const PERSON = "00000000-0000-4000-8000-000000000001";

const worker = (who: KeyOwner) => ({ ...who, person_id: PERSON, person_name: "Asha" });
const asked: queue.QueueParameters = {
  search: parseQueueSearch({}),
  words: "",
  person_id: PERSON,
  time_zone: "UTC",
  now: new Date().toISOString(),
  grace: 7,
};
const EMPTY_PAGE = Promise.resolve({ count: 0, next: null, results: [] });
const LONG_AGO = "2020-01-01T00:00:00.000Z";
const within: results.ReminderResultsParameters = {
  days: 90,
  time_zone: "UTC",
  now: asked.now,
  until: asked.now,
};
const all = { after: null, limit: 50 };
const refused = (run: Promise<unknown>) => run.catch(() => null);

const TRIALS: Record<string, (who: KeyOwner) => Promise<unknown>> = {
  "subscription-cycle.ts readIndexedSubscription": (who) =>
    readIndexedSubscription(pool, who, "sub-2"),
  "contacts-store.ts saveContact": (who) =>
    kept.saveContact(pool, worker(who), {
      subscription_id: SUBSCRIPTION,
      kind: "note",
      cycle: null,
      seen: null,
    }),
  "contacts-store.ts undoContact": (who) =>
    refused(kept.undoContact(pool, worker(who), contact)),
  "contacts-store.ts readContacts": (who) => kept.readContacts(pool, who, "sub-2"),
  "contacts-store.ts readContactSummary": async (who) =>
    (await kept.readContactSummary(pool, who, [{ id: "sub-2", cycle: null }]))("sub-2"),
  "contacts-store.ts readUsualChannel": (who) => kept.readUsualChannel(pool, worker(who)),
  "by-hand/said-paid-store.ts readSaidPaid": (who) => readSaidPaid(pool, who),
  "settings-store.ts readTeam": (who) => settings.readTeam(pool, who),
  "settings-store.ts readGrace": (who) => settings.readGrace(pool, who, "UTC"),
  "reminders/store.ts readReminderResults": (who) =>
    results.readReminderResults(pool, who, within),
  "reminders/store.ts readRemindedCases": (who) =>
    results.readRemindedCases(pool, who, LONG_AGO),
  "reminders/store.ts readUnremindedCases": (who) =>
    results.readUnremindedCases(pool, who, LONG_AGO),
  "reminders/store.ts readPromises": (who) =>
    results.readPromises(pool, who, { since: LONG_AGO, time_zone: "UTC", until: asked.now }),
  "reminders/store.ts readPaidAfter": (who) =>
    results.readPaidAfter(pool, who, { since: LONG_AGO, until: asked.now }),
  "reminders/store.ts countUnknown": (who) => results.countUnknown(pool, who, LONG_AGO),
  "queue-store.ts readQueue": (who) => queue.readQueue(pool, who, asked, all),
  "queue-store.ts readQueueCounts": (who) => queue.readQueueCounts(pool, who, asked),
  "first-pages.ts readFirstPages": (who) =>
    readFirstPages({
      db: pool,
      owner: who,
      billing: { listSubscriptions: () => EMPTY_PAGE } as unknown as BillingClient,
      question: asked,
      absence: { state: "filling", read: 0, total: null },
      amounts: {},
      linkOf: () => null,
    }),
  "payments-store.ts readFailedAt": (who) => paid.readFailedAt(pool, who, "sub-2"),
  "payments-store.ts hasRecentlyPaid": (who) => paid.hasRecentlyPaid(pool, who, "sub-2"),
  "payments-store.ts readRecentlyPaid": async (who) => [
    ...(await paid.readRecentlyPaid(pool, who)),
  ],
};

/** Functions that take no owner: their caller has checked the permission for the seller. */
const WITHOUT_OWNER = new Set([
  "settings-store.ts saveGrace",
  "subscription-cycle.ts requireBillingCycle",
]);

useDashboardDatabase();
let owner: KeyOwner;
let contact: string;

beforeAll(async () => {
  owner = await createIndexOwner();
  const api = new ChangingService();
  api.fill(9);
  api.change(1, { status: "due" });
  await runSlice(owner, api);
  const made = await kept.saveContact(pool, worker(owner), {
    subscription_id: "sub-2",
    kind: "reminder",
    channel: "viber",
    cycle: null,
    detail: { text: "Buyer" },
  });
  contact = made.state === "kept" ? made.contact.id : "";
  await pool.query(
    `insert into received_delivery (seller_id, mode, delivery_id, verdict, event, subscription_id)
     values ($1, $2, 'failed-1', 'verified', 'checkout.failed', 'sub-2')`,
    [owner.seller_id, owner.mode],
  );
});

testIsolation(() => owner, ["contact", "collection_state"], TRIALS);

test("the owner finds the collection records that another seller must not find", async () => {
  const rows = await queue.readQueue(pool, owner, asked, all);
  expect(JSON.stringify(rows)).toMatch(/Buyer/);
  expect(await kept.readUsualChannel(pool, worker(owner))).toBe("viber");
  expect(await paid.readFailedAt(pool, owner, "sub-2")).not.toBeNull();
  expect(await kept.readContacts(pool, owner, "sub-2")).toHaveLength(1);
});

test("every collection function that queries the database is called in these isolation tests", () => {
  const files = globSync(
    [
      "lib/collection/**/{data,*-store,subscription-cycle}.ts",
      "lib/reports/reminders/store.ts",
    ],
    { cwd: ROOT },
  );
  expect(files.length).toBeGreaterThan(3);
  const untried = files.flatMap((file) => {
    const text = readFileSync(join(ROOT, file), "utf8");
    const within = file.replaceAll("\\", "/").replace(/^lib\/(?:collection|reports)\//, "");
    return (
      [...text.matchAll(/^export async function (\w+)\(\s*(\w+)/gm)]
        // Functions that take a scope call requireSeller; e2e/access/refusals.spec.ts tests those.
        .filter(([, , first]) => first !== "scope" && first !== "signedIn")
        .map(([, name]) => `${within} ${name}`)
        .filter((name) => !(name in TRIALS) && !WITHOUT_OWNER.has(name))
    );
  });
  expect(untried).toEqual([]);
});
