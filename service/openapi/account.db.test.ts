import { createHmac } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { ProductSubscribers } from "#contract/account.ts";
import { ProductPage } from "#contract/products.ts";
import { changePrice } from "../products/price.ts";
import {
  buildDescribedService,
  createDescribedCaller,
  postRequest as post,
  type DescribedRequest,
} from "../testing/described.ts";
import { SellerApi } from "../testing/seller-api.ts";
import {
  TEST_ACCOUNTS_TOKEN,
  TEST_OPERATOR_TOKEN,
  testBuyer,
  withAccountToken,
  type TestSeller,
} from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { ACCOUNT_EXAMPLES } from "./account-examples.ts";

const service = useTestService();
const caller = createDescribedCaller(await buildDescribedService());

let seller: TestSeller;
let account: TestSeller;
beforeAll(async () => {
  seller = await service.createSeller();
  account = await withAccountToken(service, seller);
});

const send = (status: number, request: DescribedRequest, as: TestSeller | null = account) =>
  caller.send(service, status, request, as);
const patch = (url: string, payload: object): DescribedRequest => ({
  method: "PATCH",
  url,
  payload,
});

test("the list of capabilities answers as the OpenAPI document describes", async () => {
  await send(200, { url: "/account/v1/" }, null);
});

test("the seller's profile answers as the OpenAPI document describes", async () => {
  const profile = { url: "/account/v1/profile/" };
  const { version } = (await send(200, profile)).json<{ version: string }>();
  await send(200, patch(profile.url, { version, grace_days: 9 }));
  await send(409, patch(profile.url, { version, grace_days: 9 }));
  await send(400, patch(profile.url, { version, grace_days: -1 }));
});

test("the operations of API keys answer as the OpenAPI document describes", async () => {
  const url = "/account/v1/keys/";
  await send(200, { url });
  const key = { name: "Shop", scopes: ["read"] };
  const made = await send(201, post(url, key));
  const { id } = made.json<{ id: number }>();
  await send(400, post(url, {}));
  const shop = { ...account, key: String(made.headers["x-issued-key"]) };
  await send(403, post(url, key), shop);
  await send(200, patch(`${url}${id}/`, { name: "Till" }));
  await send(201, post(`${url}${id}/roll/`, { overlap_hours: 1 }));
  await send(200, post(`${url}${id}/revoke/`));
  await send(404, post(`${url}999999/revoke/`));
});

test("the operations of the product catalogue answer as the OpenAPI document describes", async () => {
  const url = "/account/v1/products/";
  const period = { interval_type: "month", interval_count: 1, label: "Monthly", price: "9.90" };
  const milk = { name: "Milk", plans: [{ plan_name: "Litre", billing_periods: [period] }] };
  const added = await send(201, post(url, milk));
  const { product_id, version } = added.json<{ product_id: string; version: string }>();
  await send(400, post(url, {}));
  await send(200, { url });
  const one = `${url}${product_id}/`;
  await send(200, { url: one });
  await send(404, { url: `${url}1/` });
  await send(200, patch(one, { version, name: "Curd" }));
  await send(409, patch(one, { version, name: "Milk" }));
  await send(400, patch(one, { version, name: "" }));
});

test("uploads of images answer as the OpenAPI document describes", async () => {
  const url = "/account/v1/images/";
  const pixel = ACCOUNT_EXAMPLES.UploadImage;
  await send(201, post(url, pixel));
  await send(400, post(url, { content: "bWlsaw==" }));
  await send(400, post(url, {}));
});

test("the operations of webhook deliveries answer as the OpenAPI document describes", async () => {
  const newEndpoint = { event: "checkout.failed", endpoint_url: "https://shop.example/hook" };
  const registered = await send(201, post("/api/v1/webhooks/", newEndpoint), seller);
  const { id } = registered.json<{ id: number }>();
  const webhook = `/account/v1/webhooks/${id}`;
  const example = await send(201, post(`${webhook}/example/`, { event: "checkout.failed" }));
  const { delivery_id } = example.json<{ delivery_id: number }>();
  await send(200, post(`${webhook}/rotate-secret/`));
  await send(200, { url: "/account/v1/webhooks/notices/" });
  const url = "/account/v1/deliveries/";
  await send(200, { url: `${url}?state=pending&page_size=1` });
  await send(400, { url: `${url}?state=lost` });
  await send(200, { url: `${url}${delivery_id}/` });
  await send(404, { url: `${url}999999/` });
  await send(200, post(`${url}${delivery_id}/resend/`));
  const since = "2026-01-01T00:00:00Z";
  await send(200, post(`${url}recover/`, { webhook_id: id, since }));
  await send(404, post(`${url}recover/`, { webhook_id: 999_999, since }));
});

test("moving subscribers to another price answers as the OpenAPI document describes", async () => {
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller);
  const { monthly: from, archived } = api.periods;
  const url = "/account/v1/moves/";
  await send(400, { url: `${url}preview/?from=${from}` }, owner);
  await send(400, { url: `${url}preview/` }, owner);
  const id = await api.createActive();
  const place = { sellerId: api.seller.seller_id, pbpId: from };
  const to = await changePrice(service.pool, place, { price: "1200.00" });
  await send(200, { url: `${url}preview/?from=${from}` }, owner);
  const moved = (await send(201, post(url, { from }), owner)).json<{ id: number }>();
  const [product] = ProductPage.parse(
    (await api.call({ url: "/api/v1/products/" })).json(),
  ).results;
  const counted = await send(
    200,
    { url: `/account/v1/products/${product?.product_id}/subscribers/` },
    owner,
  );
  expect(counted.json<ProductSubscribers>().periods).toContainEqual({
    pbp_id: from,
    subscribers: 1,
    move: { id: moved.id, to, waiting: 1 },
  });
  await send(404, { url: "/account/v1/products/lost/subscribers/" }, owner);
  expect(moved).toMatchObject({ to, subscribers: 1, after: { amount: "1356.00" } });
  const early = await service.call(null, { url: `/pay/${id}?early=1` });
  expect(early.body).toContain("NPR 1,356.00");
  await send(400, post(url, { from: archived }), owner);
  await send(404, post(`${url}${moved.id}/undo/`));
  const undone = await send(200, post(`${url}${moved.id}/undo/`), owner);
  expect(undone.json()).toEqual({ id: moved.id, undone: 1 });
  await send(404, post(`${url}999999/undo/`), owner);
});

test("taking over and withdrawing a subscription answer as the OpenAPI document describes", async () => {
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller);
  const url = "/account/v1/subscriptions/";
  const order = {
    pbp_id: api.periods.monthly,
    return_url: "https://shop.example/thanks",
    client: testBuyer(),
    paid_until: "2026-04-01",
  };
  const { subscription_id } = (await send(201, post(url, order), owner)).json<
    Record<"subscription_id", string>
  >();
  await send(400, post(url, order), owner);
  await send(200, post(`${url}${subscription_id}/withdraw/`), owner);
  await send(404, post(`${url}none/withdraw/`), owner);
  const paid = await api.createActive();
  await send(409, post(`${url}${paid}/withdraw/`), owner);
});

test("the list of a buyer's corrections answers as the OpenAPI document describes", async () => {
  const api = await SellerApi.open(service);
  const { subscription_id } = await api.create();
  const urlOf = (id: string) => `/account/v1/subscriptions/${id}/corrections/`;
  await send(200, { url: urlOf(subscription_id) }, api.seller);
  await send(404, { url: urlOf("none") }, api.seller);
});

test("opening an account answers as the OpenAPI document describes", async () => {
  const url = "/account/v1/accounts/";
  const installation = { ...seller, key: TEST_ACCOUNTS_TOKEN };
  const business = { name: "Phewa Dairy", time_zone: "UTC", currency: "NPR" };
  await send(201, post(url, { ...business, reference: "one" }), installation);
  await send(400, post(url, business), installation);
});

test("verification answers as the OpenAPI document describes, to the business and to the operator", async () => {
  const url = "/account/v1/verification/";
  const waiting = await service.createSeller({ kyc_verified: false });
  const business = await withAccountToken(service, waiting);
  const operator = { ...waiting, key: TEST_OPERATOR_TOKEN };
  const { version } = (await send(200, { url }, business)).json<{ version: string }>();
  const details = {
    legal_name: "Phewa Dairy",
    pan: "301234567",
    contact_name: "Asmita Rai",
    contact_phone: "9800000001",
    address: "Pokhara",
  };
  await send(400, patch(url, { version, pan: "1" }), business);
  await send(200, patch(url, { version, ...details }), business);
  await send(409, patch(url, { version, ...details }), business);
  const document = (text: string) =>
    post(`${url}documents/`, { kind: "pan", name: "PAN.pdf", content: btoa(text) });
  await send(400, document("x"), business);
  await send(201, document("%PDF-1.4 %%EOF"), business);
  const added = await send(201, document("%PDF-1.7 %%EOF"), business);
  const [kept, removed] = added.json<{ documents: { id: string }[] }>().documents;
  await send(200, post(`${url}documents/${removed?.id}/remove/`), business);
  await send(404, post(`${url}documents/${removed?.id}/remove/`), business);
  await send(200, post(`${url}submit/`), business);

  const accounts = "/operator/v1/accounts/";
  const one = `${accounts}${waiting.seller_id}/`;
  await send(200, { url: `${accounts}?state=submitted` }, operator);
  await send(400, { url: `${accounts}?state=x` }, operator);
  await send(200, { url: one }, operator);
  await send(404, { url: `${accounts}999999/` }, operator);
  await send(200, { url: `${one}documents/${kept?.id}/` }, operator);
  await send(400, post(`${one}return/`, {}), operator);
  await send(200, post(`${one}return/`, { note: "Add the registration." }), operator);
  await send(200, post(`${one}approve/`), operator);
  await send(200, post(`${one}suspend/`, { note: "It has expired." }), operator);
});

test("the feed of changes answers as the OpenAPI document describes", async () => {
  const url = "/account/v1/changes/";
  const api = await SellerApi.open(service);
  const begun = await send(200, { url }, api.seller);
  const next = `${url}?cursor=${begun.json<{ cursor: string }>().cursor}`;
  await api.createActive();
  await send(200, { url: next }, api.seller);
  await send(400, { url: next });
  const history = "/account/v1/subscription-changes/";
  await send(200, { url: `${history}?page_size=1` }, api.seller);
  await send(400, { url: `${history}?after=x` }, api.seller);
  await send(200, post("/sandbox/reset/"), api.seller);
  await send(410, { url: next }, api.seller);
});

test("the operations of payment accounts answer as the OpenAPI document describes", async () => {
  const url = "/account/v1/payment-accounts/";
  const saved = { settings: { secretKey: "k", baseUrl: "http://127.0.0.1:9" }, version: null };
  await send(400, post(`${url}khalti/`, { ...saved, settings: {} }));
  await send(200, post(`${url}khalti/`, saved));
  await send(409, post(`${url}khalti/`, saved));
  await send(404, post(`${url}nobody/`, saved));
  await send(200, { url });
  await send(200, post(`${url}order/`, { providers: ["khalti"] }));
  await send(409, post(`${url}order/`, { providers: [] }));
  await send(200, post(`${url}khalti/check/`));
  await send(200, post(`${url}khalti/compare/`));
  await send(404, post(`${url}nobody/compare/`));
  await send(200, post(`${url}khalti/statement/`, ACCOUNT_EXAMPLES.CompareStatement));
  await send(400, post(`${url}khalti/statement/`, { entries: [] }));
  await send(200, post(`${url}khalti/remove/`));
  await send(404, post(`${url}khalti/remove/`));
});

test("balances and monthly statements answer as the OpenAPI document describes", async () => {
  const api = await SellerApi.open(service);
  await api.createActive();
  await send(200, { url: "/account/v1/balances/" }, api.seller);
  const url = "/account/v1/statements/2026-03/";
  await send(200, { url: `${url}?page_size=1` }, api.seller);
  await send(400, { url: `${url}?after=first` }, api.seller);
  await send(404, { url: "/account/v1/statements/2026-13/" }, api.seller);
  await send(200, { url: `${url}pdf/?language=ne` }, api.seller);
  await send(400, { url: `${url}pdf/?language=fr` }, api.seller);
  await send(404, { url: "/account/v1/statements/2026-13/pdf/" }, api.seller);
});

test("the operations of channels and messages answer as the OpenAPI document describes", async () => {
  const url = "/account/v1/channels/";
  const provider = { url: "http://127.0.0.1:9/sms", successText: "ok" };
  const channel = { provider: "http_sms", settings: provider, version: null };
  await send(400, post(`${url}sms/`, { ...channel, settings: {} }));
  await send(200, post(`${url}sms/`, channel));
  await send(409, post(`${url}sms/`, channel));
  await send(200, { url });
  await send(200, post(`${url}sms/check/`));
  await send(400, post(`${url}sms/test/`, { to: "x" }));
  await send(201, post(`${url}sms/test/`, { to: "9800000001" }));
  await send(200, { url: "/account/v1/messages/?kind=test" });
  await send(400, { url: "/account/v1/messages/?state=lost" });
  await send(200, post(`${url}sms/remove/`));
  await send(404, post(`${url}sms/remove/`));
});

test("a gateway's delivery reports are answered as the OpenAPI document describes", async () => {
  const settings = {
    phoneNumberId: "1234567890",
    accessToken: "access",
    appSecret: "app-secret",
    verifyToken: "verify",
  };
  const channel = { provider: "whatsapp_cloud", settings, version: null };
  const saved = await send(200, post("/account/v1/channels/whatsapp/", channel));
  const { pathname } = new URL(saved.json<{ report_url: string }>().report_url);
  const asked = "hub.mode=subscribe&hub.challenge=1158201444&hub.verify_token=";
  await send(200, { url: `${pathname}?${asked}verify` }, null);
  await send(404, { url: `${pathname}?${asked}other` }, null);
  const payload = '{"object":"whatsapp_business_account","entry":[]}';
  const signature = createHmac("sha256", "app-secret").update(payload).digest("hex");
  const report = (headers: Record<string, string>) =>
    ({ method: "POST", url: pathname, payload, headers }) as const;
  const type = { "content-type": "application/json" };
  await send(204, report({ ...type, "x-hub-signature-256": `sha256=${signature}` }), null);
  await send(404, report({ ...type, "x-hub-signature-256": "sha256=0" }), null);
});

test("every operation of the account API that no other test file covers has succeeded in these tests", () => {
  const never = caller
    .neverSucceeded()
    .filter((name) => /\/(account|operator|message-reports|stop)\//.test(name))
    // These operations succeed in other files' tests.
    .filter(
      (name) =>
        !/(payments|refunds|payment-tasks|buyer-requests|shared-links|bills|reminders|stop)\/|post .*\/messages\//.test(
          name,
        ),
    );
  expect(never).toEqual([]);
});
