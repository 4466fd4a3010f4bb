import { beforeAll, beforeEach, expect, test } from "vitest";
import { CreatedSubscription } from "#contract/subscriptions.ts";
import { withFeed } from "#lib/billing/change-client.ts";
import { BillingClient } from "#lib/billing/client.ts";
import { openConnection } from "#lib/billing/connection.ts";
import { judgeImport } from "#lib/imports/judge.ts";
import { readImport } from "#lib/imports/read-file.ts";
import { advanceImport, type ImportContext } from "#lib/imports/run-step.ts";
import { changeImportRun } from "#lib/imports/run-store.ts";
import { countVerdicts, insertImport } from "#lib/imports/store.ts";
import { TakeOverClient } from "#lib/imports/take-over.ts";
import type { CatalogueProduct } from "#lib/products/queries.ts";
import { SellerApi } from "../../service/testing/seller-api.ts";
import { withAccountToken } from "../../service/testing/service.ts";
import { useTestService } from "../../service/testing/use-service.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { readResults, startStored } from "../testing/fixtures/import-fixture.ts";
import {
  createIndexOwner,
  runSlice,
  storeApiKey,
  TEST_KEYS,
} from "../testing/fixtures/search-index-fixture.ts";
import { createPerson } from "../testing/person.ts";

/** Tests that the real service creates the subscriptions of the buyers in a file. */
useDashboardDatabase();
const service = useTestService();
let baseUrl: string;
let api: SellerApi;
let token: string;
let context: ImportContext;

beforeAll(async () => {
  baseUrl = await service.app.listen({ host: "127.0.0.1", port: 0 });
});
beforeEach(async () => {
  service.clock.set(new Date().toISOString());
  api = await SellerApi.open(service);
  const owner = await createIndexOwner();
  await storeApiKey(owner, api.seller.key);
  token = (await withAccountToken(service, api.seller)).key;
  context = {
    db: pool,
    billing: new BillingClient({
      baseUrl,
      connect: () => openConnection(pool, owner, TEST_KEYS),
    }),
    owner,
    user: await createPerson(pool),
    takeOver: async () => new TakeOverClient({ baseUrl, token }),
    returnPageUrl: (seller) => `https://desk.example/returned/${seller}`,
  };
});

const day = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** A file of buyers: one is to pay by a link, one has paid ahead and one is late, in turn. */
function fileOf(rows: number): Buffer {
  const paidUntil = ["", day(20), day(-3)];
  const lines = Array.from(
    { length: rows },
    (_, at) =>
      `Buyer ${at},98${String(41_000_000 + at)},b${at}@example.com,Patan,${api.periods.monthly},${paidUntil[at % 3]}`,
  );
  return Buffer.from(["Name,Phone,Email,Address,Product,Paid until", ...lines].join("\n"));
}

/** Reads and judges the file, up to the step before the run is started. @returns the import's id */
async function bring(file: Buffer): Promise<string> {
  const { owner, user, billing } = context;
  const table = await readImport(file, new Map());
  const id = await insertImport(pool, owner, user.id, { ...table, file_name: "buyers.csv" });
  const { results } = await billing.listProducts({ page: 1, page_size: 100 });
  const products: CatalogueProduct[] = results;
  await judgeImport(
    pool,
    {
      owner,
      home: { time_zone: "Asia/Kathmandu", currency: "NPR" },
      catalogue: { products, is_complete: true, today: day(0) },
    },
    id,
  );
  return id;
}

const start = (id: string) => startStored(context, id);

async function drive(id: string) {
  for (;;) {
    const { pause, progress } = await advanceImport(context, id);
    if (pause) return { pause, progress };
  }
}

const resultsOf = (id: string) => readResults(context, id);
const sync = () => runSlice(context.owner, withFeed(context.billing));
const paymentsAt = async () =>
  (await service.pool.query("select from payment where seller_id = $1", [api.seller.seller_id]))
    .rowCount;

test("an imported file makes unpaid subscriptions with links, and subscriptions that are paid until the given day", async () => {
  const id = await bring(fileOf(30));
  expect(await start(id)).toBe(30);
  expect(await drive(id)).toMatchObject({
    pause: { kind: "finished" },
    progress: { links: 10, counts: { done: 30 } },
  });
  const list = await api.list("?page_size=100");
  expect([list.count, list.active_subscriptions, list.due_subscriptions]).toEqual([30, 10, 10]);
  const [link, ahead, late] = await resultsOf(id);
  expect((await api.read(link?.subscription_id ?? "")).status).toBe("pending_checkout");
  expect(link?.checkout_url).toMatch(/\/pay\//);
  expect((await api.read(ahead?.subscription_id ?? "")).next_billing_cycle).toContain(day(20));
  expect((await api.read(late?.subscription_id ?? "")).status).toBe("due");
  expect(await paymentsAt()).toBe(0);
});

test("when the same file is imported again, every row is judged as already there, before and after a sync", async () => {
  const first = await bring(fileOf(12));
  await start(first);
  await drive(first);
  const verdicts = async () => countVerdicts(pool, context.owner, await bring(fileOf(12)));
  expect(await verdicts()).toMatchObject({ has: 12, made: 0 });
  await sync();
  expect(await verdicts()).toMatchObject({ has: 12, made: 0 });
  expect((await api.list()).count).toBe(12);
});

/** A client whose process dies before it receives the answer. */
class DyingClient extends TakeOverClient {
  override async takeOver(...request: Parameters<TakeOverClient["takeOver"]>): Promise<never> {
    await super.takeOver(...request);
    throw new Error("killed");
  }
}

test("an import whose process was killed continues, and makes each row's subscription once", async () => {
  const id = await bring(fileOf(12));
  await start(id);
  const dying = { ...context, takeOver: async () => new DyingClient({ baseUrl, token }) };
  await expect(advanceImport(dying, id, { lanes: 1 })).rejects.toThrow("killed");
  expect((await drive(id)).pause).toMatchObject({ kind: "wait", why: "held" });
  await pool.query(
    "update import_row set claimed_until = now() where run_id = $1 and state = 'running'",
    [id],
  );
  expect(await drive(id)).toMatchObject({ progress: { counts: { done: 12 } } });
  expect((await api.list()).count).toBe(12);
});

test("undoing an import keeps subscriptions that were paid in the meantime", async () => {
  const id = await bring(fileOf(9));
  await start(id);
  await drive(id);
  const [paid] = await resultsOf(id);
  const paidId = paid?.subscription_id ?? "";
  expect(await api.pay(paidId)).toBe("paid");
  await changeImportRun(pool, context.owner, id, "undo");
  expect(await drive(id)).toMatchObject({
    pause: { kind: "finished" },
    progress: { rest: 0, counts: { done: 1, undone: 8 } },
  });
  const statuses = (await api.list("?page_size=100")).results.map(({ status }) => status);
  expect(statuses.filter((status) => status === "cancelled")).toHaveLength(8);
  expect((await api.read(paidId)).status).toBe("active");
  await sync();
  const again = await bring(fileOf(9));
  expect(await countVerdicts(pool, context.owner, again)).toMatchObject({ has: 1, known: 8 });
});

test("an import refuses a row whose buyer got the product in the meantime, with a message", async () => {
  const id = await bring(fileOf(2));
  await start(id);
  const client = await context.takeOver();
  const taken = await client?.takeOver(
    {
      pbp_id: api.periods.monthly,
      return_url: "https://shop.example/",
      client: {
        phone: "9841000001",
        full_name: "Buyer 1",
        email: "b1@example.com",
        address: "Patan",
      },
      paid_until: day(9),
    },
    "elsewhere",
  );
  expect(CreatedSubscription.parse(taken).status).toBe("active");
  expect(await drive(id)).toMatchObject({ progress: { counts: { done: 1, refused: 1 } } });
  expect((await resultsOf(id))[1]).toMatchObject({
    state: "refused",
    message: "This buyer already has an active subscription for this billing period.",
  });
  expect((await api.list()).count).toBe(2);
});
