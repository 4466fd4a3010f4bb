import { beforeEach, expect, it } from "vitest";
import { SavedPaymentAccount } from "#contract/payment-accounts.ts";
import type { ProviderAdapter } from "../../providers/provider.ts";
import { addFakeAccount, FakeProvider } from "../../testing/fake-provider.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../../testing/service.ts";
import { useTestService } from "../../testing/use-service.ts";
import { paymentContext } from "../provider.ts";
import { createComparisonWorker } from "./worker.ts";

const listing: ProviderAdapter = {
  ...new FakeProvider().adapter(),
  list: async () => ({ payments: [], next: null }),
};
const service = useTestService("test", { providers: [listing] });

let account: TestSeller;
let api: SellerApi;
beforeEach(async () => {
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

const newWorker = () =>
  createComparisonWorker({
    payments: paymentContext(service.context),
    onError: (error) => {
      throw error;
    },
  });

it("runs once when it is asked for, however many workers there are", async () => {
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
