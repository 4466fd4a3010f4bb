import { expect, it } from "vitest";
import { fetchCheckoutPage, postForm } from "../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../testing/fake-provider.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("live", { providers: [fake.adapter()] });

it("a live seller cannot create a payment link without an active way to pay, and a link offers only active ways to pay", async () => {
  const api = await SellerApi.open(service);
  const refused = await api.requestCreate(api.periods.monthly);
  expect([refused.statusCode, refused.body]).toEqual([
    400,
    expect.stringContaining("no active way to pay"),
  ]);
  const accounts = await api.call({ url: "/account/v1/payment-accounts/" });
  expect(accounts.json()).toMatchObject({ payable: false, reason: expect.any(String) });
  const { account_id } = await addFakeAccount(service, api.seller);
  const { subscription_id: id } = await api.create();
  const page = await fetchCheckoutPage(service, `/pay/${id}`);
  expect(page.body).toContain("Fake Pay");
  expect(page.body).not.toContain("no money moves");
  // No channel reaches the buyer with a code.
  expect(await postForm(service, `/pay/${id}/code`, { method: "fake" })).toMatchObject({
    outcome: "no_channel",
  });
  expect(await postForm(service, `/pay/${id}/code`, { method: "wallet" })).toMatchObject({
    outcome: "not_taken",
  });
  await service.pool.query(
    "update payment_account set is_active = false where account_id = $1",
    [account_id],
  );
  expect((await fetchCheckoutPage(service, `/pay/${id}`)).body).toContain(
    "has not set up a way to pay here yet",
  );
});

it("a live seller without a payment provider can create payment links that say how else to pay", async () => {
  const api = await SellerApi.open(service);
  await service.pool.query(
    "update seller set pay_otherwise = 'In cash at the shop' where seller_id = $1",
    [api.seller.seller_id],
  );
  const { subscription_id: id } = await api.create();
  expect((await fetchCheckoutPage(service, `/pay/${id}`)).body).toContain(
    "In cash at the shop",
  );
});
