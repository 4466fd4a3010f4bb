import { beforeEach, describe, expect, it } from "vitest";
import { PaymentAccounts, SavedPaymentAccount } from "#contract/payment-accounts.ts";
import { requestCode, submitCodePage } from "../testing/checkout-forms.ts";
import { FakeProvider } from "../testing/fake-provider.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("test", {
  providers: [fake.adapter(), fake.adapter("other"), fake.adapter("card")],
});
const ROOT = "/account/v1/payment-accounts";
let api: SellerApi;
let account: TestSeller;

beforeEach(async () => {
  api = await SellerApi.open(service);
  account = await withAccountToken(service, api.seller);
});

const post = (path: string, payload?: object) =>
  service.call(account, {
    method: "POST",
    url: `${ROOT}/${path}`,
    ...(payload && { payload, headers: { "content-type": "application/json" } }),
  });
const settings = { shop: "honey", key: "the secret key" };
const save = (provider: string, changes: object = {}) =>
  post(`${provider}/`, { settings, version: null, ...changes });
const saved = async (provider: string, changes: object = {}) =>
  SavedPaymentAccount.parse((await save(provider, changes)).json());
const list = async () =>
  PaymentAccounts.parse((await service.call(account, { url: `${ROOT}/` })).json());

describe("an account at a payment provider", () => {
  it("is set up without the API ever returning the secret key, and an update without the key keeps the stored key", async () => {
    const answer = await save("fake", { label: "Our wallet", least: "50.00" });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).not.toContain(settings.key);
    const { version, return_url } = SavedPaymentAccount.parse(answer.json());
    expect(return_url).toMatch(/\/pay-return\/[\w-]{36}$/);
    const changed = await saved("fake", { settings: { shop: "milk" }, version });
    expect(changed).toMatchObject({
      settings: { shop: "milk" },
      secrets_set: ["key"],
      label: null,
      least: null,
      problem: null,
    });
    const shown = await list();
    expect(shown.results).toEqual([changed]);
    expect(shown.providers.map(({ provider }) => provider)).toEqual(["fake", "other", "card"]);
    expect(JSON.stringify(shown)).not.toContain(settings.key);
  });

  it("is updated only by a request with the newest version number; other requests get a 409", async () => {
    const { version } = await saved("fake");
    expect((await save("fake")).statusCode).toBe(409);
    await saved("fake", { version, settings: { shop: "milk" } });
    expect((await save("fake", { version })).statusCode).toBe(409);
    expect((await list()).results).toMatchObject([{ settings: { shop: "milk" } }]);
  });

  it.each([
    ["a missing secret", { settings: { shop: "honey" } }, "settings.key"],
    ["an unknown setting", { settings: { ...settings, colour: "red" } }, "settings.colour"],
    ["credentials of live mode", { settings: { ...settings, mode: "live" } }, "settings"],
    ["an amount with three places", { least: "1.000" }, "least"],
    ["a lower limit above the upper one", { least: "5.00", most: "4.99" }, "most"],
  ])(
    "cannot be saved with %s, and the error names the field",
    async (_what, changes, field) => {
      const answer = await save("fake", changes);
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toHaveProperty([field]);
      expect((await list()).results).toEqual([]);
    },
  );

  it("gets a 404 when saved for an unknown provider, and when checked or removed before it is set up", async () => {
    expect((await save("nobody")).statusCode).toBe(404);
    expect((await post("fake/check/")).statusCode).toBe(404);
    expect((await post("fake/remove/")).statusCode).toBe(404);
  });

  it("replaces the one-time code by the provider's sign-in only if the seller chose this and the provider has a sign-in", async () => {
    const { version, identifies_buyer } = await saved("fake");
    expect(identifies_buyer).toBe(false);
    expect(await saved("fake", { version, identifies_buyer: true })).toMatchObject({
      identifies_buyer: true,
    });
    const refused = await save("card", { identifies_buyer: true });
    expect([refused.statusCode, refused.body]).toEqual([
      400,
      expect.stringContaining("need a one-time code"),
    ]);
  });

  it("is listed in the order that the seller sends, and an order without one of the accounts gets a 409", async () => {
    await saved("fake");
    await saved("other");
    const order = (providers: string[]) => post("order/", { providers });
    expect((await order(["other"])).statusCode).toBe(409);
    const names = async () => (await list()).results.map(({ provider }) => provider);
    expect(await names()).toEqual(["fake", "other"]);
    expect((await order(["other", "fake"])).statusCode).toBe(200);
    expect(await names()).toEqual(["other", "fake"]);
  });

  it("cannot change its merchant or be removed while a payment can still change, but can get a new secret key", async () => {
    const { version } = await saved("fake");
    const { subscription_id: id } = await api.create();
    await submitCodePage(service, id, await requestCode(service, id, { method: "fake" }));
    const refused = await save("fake", { version, settings: { shop: "milk" } });
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      {
        "settings.shop": [
          expect.stringMatching(/^One payment there can still change, until 2026-03-18/),
        ],
      },
    ]);
    expect((await post("fake/remove/")).body).toContain("One payment there can still change");
    const rotated = await saved("fake", { version, settings: { shop: "honey", key: "newer" } });
    await saved("fake", {
      version: rotated.version,
      settings: { shop: "honey" },
      is_active: false,
    });
    expect((await list()).results).toMatchObject([{ settings: { shop: "honey" } }]);
  });

  it("can be checked and removed by its seller, and another seller can neither see nor remove the account", async () => {
    await saved("fake");
    const own = account;
    const { seller } = await SellerApi.open(service);
    account = await withAccountToken(service, seller);
    expect((await list()).results).toEqual([]);
    expect((await post("fake/remove/")).statusCode).toBe(404);
    account = own;
    expect((await post("fake/check/")).json()).toEqual({ ok: true, text: "Asked." });
    expect(PaymentAccounts.parse((await post("fake/remove/")).json()).results).toEqual([]);
    const { rows } = await service.pool.query(
      "select sealed_settings from payment_account where seller_id = $1",
      [own.seller_id],
    );
    expect(rows).toEqual([{ sealed_settings: null }]);
  });
});
