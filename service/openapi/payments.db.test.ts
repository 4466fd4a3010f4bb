import { expect, test } from "vitest";
import { AccountBillPage, BillSettings } from "#contract/payments.ts";
import {
  buildDescribedService,
  createDescribedCaller,
  postRequest as post,
  type DescribedRequest,
} from "../testing/described.ts";
import { openTask } from "../payment-tasks/tasks.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { ACCOUNT_EXAMPLES } from "./account-examples.ts";

const service = useTestService();
const caller = createDescribedCaller(await buildDescribedService());

const send = (status: number, request: DescribedRequest, as: TestSeller | null) =>
  caller.send(service, status, request, as);

test("the list of payments answers as the OpenAPI document describes", async () => {
  const url = "/account/v1/payments/";
  const api = await SellerApi.open(service);
  await api.createActive();
  await send(200, { url }, api.seller);
  await send(200, { url: `${url}?reference=d6061684&amount=1130&day=2026-03-10` }, api.seller);
  await send(400, { url: `${url}?day=yesterday` }, api.seller);
  await send(400, { url: `${url}?before=d6061684-2f0e-4b3a-9c57-81e4a7d09b26` }, api.seller);
});

test("recorded payments and refunds answer as the OpenAPI document describes", async () => {
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller);
  const { subscription_id } = await api.create();
  const url = `/account/v1/subscriptions/${subscription_id}/payments/`;
  await send(200, { url }, owner);
  const { RecordPayment, GiveReason, ConfirmRefund, RequestRefund } = ACCOUNT_EXAMPLES;
  await send(400, post(url, { ...RecordPayment, amount: "1.00" }), owner);
  const photo = { photo: ACCOUNT_EXAMPLES.UploadImage.content };
  const made = await send(201, post(url, { ...RecordPayment, ...photo }), owner);
  const { id, payment_id } = made.json<{ id: string; payment_id: string }>();
  await send(409, post(url, RecordPayment), owner);
  const list = "/account/v1/recorded-payments/";
  await send(200, { url: `${list}?state=counted&page_size=1` }, owner);
  await send(400, { url: `${list}?state=lost` }, owner);
  await send(200, { url: `${list}${id}/photo/` }, owner);
  await send(404, { url: `${list}1/photo/` }, owner);
  const give = `/account/v1/payments/${payment_id}/refunds/`;
  await send(400, post(give, { ...RequestRefund, amount: "2000.00" }), owner);
  const begun = async () =>
    (await send(201, post(give, RequestRefund), owner)).json<{ id: string }>().id;
  const refunds = "/account/v1/refunds/";
  await send(200, post(`${refunds}${await begun()}/refuse/`, GiveReason), owner);
  await send(200, post(`${list}${id}/reverse/`, GiveReason), owner);
  await send(409, post(give, RequestRefund), owner);
  await api.createActive(api.periods.weekly, { phone: "9800000002" });
  const paid = (await send(200, { url: "/account/v1/payments/" }, owner))
    .json<{ results: { payment_id: string; method: string }[] }>()
    .results.find(({ method }) => method === "wallet");
  const again = `/account/v1/payments/${paid?.payment_id}/refunds/`;
  const refund = (await send(201, post(again, RequestRefund), owner)).json<{ id: string }>();
  await send(409, post(`${refunds}${refund.id}/retry/`), owner);
  const refused =
    "update refund set state = 'refused', refusal = 'Refused' where refund_id = $1";
  await service.pool.query(refused, [refund.id]);
  await send(200, post(`${refunds}${refund.id}/retry/`), owner);
  await send(200, post(`${refunds}${refund.id}/by-hand/`), owner);
  await send(200, post(`${refunds}${refund.id}/confirm/`, ConfirmRefund), owner);
  await send(200, { url: `${refunds}?is_open=false` }, owner);
  await send(400, { url: `${refunds}?is_open=maybe` }, owner);
});

test("approving and declining a recorded payment answer as the OpenAPI document describes", async () => {
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller);
  const profile = "/account/v1/profile/";
  const { version } = (await send(200, { url: profile }, owner)).json<{ version: string }>();
  const payload = { version, approve_payments_above: "0.00" };
  await send(200, { method: "PATCH", url: profile, payload }, owner);
  const { RecordPayment, ApprovePayment, GiveReason } = ACCOUNT_EXAMPLES;
  const waiting = async (phone: string) => {
    const { subscription_id } = await api.create(api.periods.monthly, { phone });
    const url = `/account/v1/subscriptions/${subscription_id}/payments/`;
    const { id } = (await send(201, post(url, RecordPayment), owner)).json<{ id: string }>();
    return `/account/v1/recorded-payments/${id}/`;
  };
  const one = await waiting("9800000001");
  await send(409, post(`${one}approve/`, ApprovePayment), owner);
  const hari = { by: { id: "user-8", name: "Hari Thapa" } };
  await send(200, post(`${one}approve/`, hari), owner);
  await send(409, post(`${one}decline/`, GiveReason), owner);
  await send(200, post(`${await waiting("9800000002")}decline/`, GiveReason), owner);
});

test("payment tasks answer as the OpenAPI document describes", async () => {
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller);
  await openTask(service.pool, {
    seller_id: api.seller.seller_id,
    kind: "statement_only",
    reference: "T-1",
    answered_amount: "10.00",
    answered_currency: "NPR",
    at: service.clock.now(),
  });
  const url = "/account/v1/payment-tasks/";
  const { results } = (
    await send(200, { url: `${url}?is_open=true&page_size=1` }, owner)
  ).json<{
    results: { id: string }[];
  }>();
  await send(400, { url: `${url}?is_open=maybe` }, owner);
  const decide = `${url}${results[0]?.id}/decide/`;
  const { DecidePaymentTask } = ACCOUNT_EXAMPLES;
  await send(400, post(decide, DecidePaymentTask), owner);
  await send(200, post(decide, { ...DecidePaymentTask, decision: "noted" }), owner);
  await send(409, post(decide, { ...DecidePaymentTask, decision: "noted" }), owner);
  await send(404, post(`${url}1/decide/`, DecidePaymentTask), owner);
});

test("bills answer as the OpenAPI document describes", async () => {
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller);
  const paid = await api.createActive();
  const url = "/account/v1/bills/";
  const unknown = "d6061684-2f0e-4b3a-9c57-81e4a7d09b26";
  const listed = await send(200, { url: `${url}?page_size=1` }, owner);
  const [bill] = AccountBillPage.parse(listed.json()).results;
  await send(400, { url: `${url}?from=soon` }, owner);
  await send(200, { url: `${url}${bill?.id}/pdf/` }, owner);
  await send(404, { url: `${url}${unknown}/pdf/` }, owner);
  await send(404, post(`${url}${unknown}/send/`), owner);
  await send(400, post(`${url}${bill?.id}/send/`), owner);
  const settingUp = { ...ACCOUNT_EXAMPLES.SaveChannel, provider: "http_sms" };
  const gateway = { url: "http://127.0.0.1:9/sms", successText: "ok" };
  await send(
    200,
    post("/account/v1/channels/sms/", { ...settingUp, settings: gateway, version: null }),
    owner,
  );
  await send(201, post(`${url}${bill?.id}/send/`), owner);
  await send(200, { url: `/pay/${paid}/bill/${bill?.id}` }, null);
  await send(404, { url: `/pay/${paid}/bill/${unknown}` }, null);
  const { rows } = await service.pool.query<{ code: string }>(
    "select code from bill where bill_id = $1",
    [bill?.id],
  );
  await send(200, { url: `/bill/${rows[0]?.code}` }, null);
  const settings = BillSettings.parse(
    (await send(200, { url: `${url}settings/` }, owner)).json(),
  );
  const patch = (payload: object) => ({
    ...post(`${url}settings/`, payload),
    method: "PATCH" as const,
  });
  const change = { version: settings.version, prefix: "HIM" };
  await send(200, patch(change), owner);
  await send(409, patch(change), owner);
  await send(400, patch({ ...change, prefix: "?" }), owner);
});

test("every operation about payments has succeeded in these tests", () => {
  const never = caller
    .neverSucceeded()
    .filter((name) =>
      /\/account\/.*(payments|refunds|payment-tasks|bills)\/|\/bill\//.test(name),
    );
  expect(never).toEqual([]);
});
