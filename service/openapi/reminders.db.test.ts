import { expect, test } from "vitest";
import {
  buildDescribedService,
  createDescribedCaller,
  postRequest as post,
  type DescribedRequest,
} from "../testing/described.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const caller = createDescribedCaller(await buildDescribedService());
const send = (status: number, request: DescribedRequest, as: TestSeller | null) =>
  caller.send(service, status, request, as);
const patch = (url: string, payload: object): DescribedRequest => ({
  method: "PATCH",
  url,
  payload,
});

test("the operations of reminders answer as the OpenAPI document describes", async () => {
  const url = "/account/v1/reminders/";
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller);
  await send(200, { url: `${url}schedule/` }, owner);
  const texts = [{ language: "en", subject: "{product}", text: "Pay {amount}: {link}" }];
  const steps = [{ kind: "before", days: 40, time: "12:00", texts }];
  const change = { version: null, is_on: true, steps };
  const saved = await send(200, patch(`${url}schedule/`, change), owner);
  const [step] = saved.json<{ steps: { id: number }[] }>().steps;
  await send(409, patch(`${url}schedule/`, change), owner);
  await send(400, patch(`${url}schedule/`, { steps }), owner);
  const settings = { url: "http://127.0.0.1:9/sms", successText: "ok" };
  const channel = { provider: "http_sms", settings, version: null };
  await send(200, post("/account/v1/channels/sms/", channel), owner);
  const subscription_id = await api.createActive();
  const customers = await service.call(api.seller, { url: "/api/v1/customers/" });
  const [customer] = customers.json<{ results: { id: number }[] }>().results;
  const chosen = { customer_id: customer?.id, language: "mai" };
  await send(200, post(`${url}languages/`, chosen), owner);
  await send(200, { url: `${url}languages/?subscription_id=${subscription_id}` }, owner);
  await send(404, { url: `${url}languages/?customer_id=999999` }, owner);
  await send(400, { url: `${url}languages/` }, owner);
  await send(404, post(`${url}languages/`, { ...chosen, customer_id: 999_999 }), owner);
  await send(400, post(`${url}languages/`, { ...chosen, language: "maithili" }), owner);
  await send(200, post(`${url}preview/`, { steps }), owner);
  await send(400, post(`${url}preview/`, { steps: 1 }), owner);
  await send(200, { url: `${url}planned/?day=2026-04-01` }, owner);
  await send(400, { url: `${url}planned/?day=today` }, owner);
  await send(201, post(`${url}send/`, { subscription_id, step_id: step?.id }), owner);
  await send(404, post(`${url}send/`, { subscription_id, step_id: 999_999 }), owner);
  const held = await send(
    201,
    post(`${url}holds/`, { subscription_id, until: "2026-05-01" }),
    owner,
  );
  await send(400, post(`${url}holds/`, { subscription_id }), owner);
  await send(200, { url: `${url}holds/?subscription_id=${subscription_id}` }, owner);
  await send(400, { url: `${url}holds/` }, owner);
  await send(200, { url: `${url}results/?from=2026-03-01` }, owner);
  await send(400, { url: `${url}results/?from=soon` }, owner);
  const { id } = held.json<{ id: number }>();
  await send(200, post(`${url}holds/${id}/remove/`), owner);
  await send(404, post(`${url}holds/${id}/remove/`), owner);

  const { rows } = await service.pool.query<{ key: string }>(
    `insert into reminder_recipient (key, seller_id, phone, phone_key, email)
     values ('AAAAAAAAAAAAAAAAAAAAAA', $1, '9800000001', '9800000001', '') returning key`,
    [api.seller.seller_id],
  );
  const page = `/stop/${rows[0]?.key}`;
  await send(200, { url: page }, null);
  await send(404, { url: `${page}B` }, null);
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const stop = { method: "POST", url: page, payload: "choice=stop", headers: form } as const;
  await send(200, stop, null);
  const listed = await send(200, { url: `${url}opt-outs/` }, owner);
  await send(200, post(`${url}opt-outs/find/`, { words: ["9800000001"] }), owner);
  await send(400, post(`${url}opt-outs/find/`, { words: [] }), owner);
  await send(201, post(`${url}opt-outs/`, { phone: "9800000002", reason: "Said so" }), owner);
  await send(400, post(`${url}opt-outs/`, { reason: "Said so" }), owner);
  const handed = {
    kind: "reminder",
    cause: "1",
    phone: "9800000003",
    language: "en",
    subject: "Renewal",
    text: "Pay here",
    expires_at: "2027-03-11T00:00:00Z",
  };
  await send(200, post("/account/v1/messages/", handed), owner);
  await send(400, post("/account/v1/messages/", { ...handed, phone: "" }), owner);
  await send(400, { url: `${url}opt-outs/?page_size=x` }, owner);
  const [optOut] = listed.json<{ results: { id: number }[] }>().results;
  await send(200, post(`${url}opt-outs/${optOut?.id}/remove/`), owner);
  await send(404, post(`${url}opt-outs/${optOut?.id}/remove/`), owner);
  const never = caller.neverSucceeded().filter((name) => /\/(reminders|stop)\//.test(name));
  expect(never).toEqual([]);
});
