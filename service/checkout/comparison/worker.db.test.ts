import { once } from "node:events";
import { beforeEach, expect, it } from "vitest";
import { SavedPaymentAccount } from "#contract/payment-accounts.ts";
import { ProviderFault, type ProviderAdapter } from "../../providers/provider.ts";
import { addFakeAccount, FakeProvider } from "../../testing/fake-provider.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../../testing/service.ts";
import { useTestService } from "../../testing/use-service.ts";
import { paymentContext } from "../provider.ts";
import { createComparisonWorker } from "./worker.ts";

let hangs = false;
let isAsked = Promise.withResolvers<void>();
const listing: ProviderAdapter = {
  ...new FakeProvider().adapter(),
  list: async (_query, _settings, { signal }) => {
    isAsked.resolve();
    if (!hangs) return { payments: [], next: null };
    if (!signal.aborted) await once(signal, "abort");
    throw new ProviderFault("unknown", "The provider gave no answer.");
  },
};
const service = useTestService("test", { providers: [listing] });

let account: TestSeller;
let api: SellerApi;
beforeEach(async () => {
  hangs = false;
  isAsked = Promise.withResolvers();
  api = await SellerApi.open(service);
  account = await withAccountToken(service, api.seller);
});

const askFor = (provider: string) =>
  service.call(account, {
    method: "POST",
    url: `/account/v1/payment-accounts/${provider}/compare/`,
    payload: {},
    headers: { "content-type": "application/json" },
  });

async function state() {
  const answer = await service.call(account, { url: "/account/v1/payment-accounts/" });
  return SavedPaymentAccount.parse(answer.json<{ results: unknown[] }>().results[0]).comparison;
}

const newWorker = (options: { timeLimit?: number } = {}) =>
  createComparisonWorker({
    ...options,
    payments: paymentContext(service.context),
    onError: (error) => {
      throw error;
    },
  });

it("a requested comparison runs once, even with three workers", async () => {
  await addFakeAccount(service, api.seller);
  const { statusCode, body } = await askFor("fake");
  expect([statusCode, body]).toMatchObject([200, expect.stringContaining('"is_running":true')]);
  const workers = [newWorker(), newWorker(), newWorker()];
  await Promise.all(workers.map((worker) => worker.compareDue()));
  await Promise.all(workers.map((worker) => worker.close()));
  expect(await state()).toMatchObject({ is_running: false, last: { source: "asked" } });
  const { rows } = await service.pool.query(
    "select count(*)::integer as count from comparison where seller_id = $1",
    [api.seller.seller_id],
  );
  expect(rows).toEqual([{ count: 1 }]);
  expect((await askFor("nobody")).statusCode).toBe(404);
});

it("a comparison that was interrupted by the end of its worker is completed by another worker", async () => {
  await addFakeAccount(service, api.seller);
  await askFor("fake");
  hangs = true;
  const ended = newWorker();
  ended.wake();
  await isAsked.promise;
  await ended.close();
  expect(await state()).toMatchObject({ is_running: true, last: null });
  hangs = false;
  service.clock.advance(16 * 60_000);
  const next = newWorker();
  await next.compareDue();
  await next.close();
  expect(await state()).toMatchObject({
    is_running: false,
    last: { source: "asked", problem: null },
  });
});

it("a comparison that takes too long is stopped, and the result says so", async () => {
  await addFakeAccount(service, api.seller);
  await askFor("fake");
  hangs = true;
  const worker = newWorker({ timeLimit: 1 });
  await worker.compareDue();
  await worker.close();
  expect(await state()).toMatchObject({
    is_running: false,
    last: { problem: "The comparison took too long, and was ended before it was complete." },
  });
});
