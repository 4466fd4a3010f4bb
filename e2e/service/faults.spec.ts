import type { Page } from "@playwright/test";
import { describeFailure, isTemporaryFailure, type Failure } from "#lib/failure.ts";
import {
  startFaultProxy,
  type FaultName,
  type FaultProxy,
  type ProxiedRequest,
} from "#tools/testing/servers/fault-proxy.ts";
import {
  apiOf,
  FAULT_NAMES,
  readFirstIds,
  EXPECTED_FAILURES,
  readAddresses,
  type ApiReader,
} from "../support/fault-reads.ts";
import {
  countSubscriptionsOfPhone,
  listUntestedWrites,
  TESTED_WRITES,
} from "../support/fault-writes.ts";
import { callActionByName, sendRequest } from "../support/intruder.ts";
import {
  startOwnProduct,
  startOwnService,
  type OwnProduct,
  type OwnService,
} from "../support/own-product.ts";
import { visibleField } from "../support/visible-text.ts";
import { expect, fillNewSubscription, signIn, test } from "../support/seller.ts";
import { translator } from "../support/messages.ts";

/** A dashboard that calls its service through a proxy that injects faults. */
let service: OwnService;
let proxy: FaultProxy;
let product: OwnProduct;
let api: ApiReader;

test.beforeAll(async () => {
  service = await startOwnService();
  api = apiOf(service);
  proxy = await startFaultProxy(service.url);
  product = await startOwnProduct({
    BILLING_SANDBOX_API_URL: proxy.url,
    BILLING_SANDBOX_API_KEY: service.key,
    // The service's URL without the proxy; images come from there.
    BILLING_SANDBOX_CHECKOUT_URL: service.url,
  });
});

test.afterAll(async () => {
  await product.stop();
  await proxy.close();
  await service.stop();
});

test.beforeEach(() => {
  proxy.fault = null;
});

interface Desk {
  url: string;
  cookie: string;
  seller: string;
}

/** Signs in as the demonstration's owner. */
async function enter(page: Page): Promise<Desk> {
  await signIn(page, product.url);
  const cookies = await page.context().cookies(product.url);
  const [, seller = ""] = new URL(page.url()).pathname.split("/");
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  return { url: product.url, cookie, seller };
}

async function readAs({ url, cookie }: Desk, path: string): Promise<unknown> {
  const response = await sendRequest(path, {
    url,
    cookie,
    headers: { "x-phone": "9800000000" },
  });
  return response.json();
}

/** The failure in a response body with its fields; "answered" if there is none. */
const failureIn = (body: unknown) =>
  typeof body === "object" && body !== null && "kind" in body ? body : "answered";

test("a failed read from the service is explained for each kind of fault, and succeeds once the fault ends", async ({
  page,
}) => {
  const desk = await enter(page);
  const paths = await readAddresses(api, desk.seller);
  expect(paths.length).toBeGreaterThan(5);
  for (const name of FAULT_NAMES) {
    proxy.fault = { name };
    const bodies = await Promise.all(paths.map((path) => readAs(desk, path)));
    expect(bodies.map((body, at) => [name, paths[at], failureIn(body)])).toEqual(
      paths.map((path) => [name, path, EXPECTED_FAILURES[name].read]),
    );
  }
  proxy.fault = null;
  const bodies = await Promise.all(paths.map((path) => readAs(desk, path)));
  expect(bodies.map(failureIn)).toEqual(paths.map(() => "answered"));
});

const write = ({ seller, ...request }: Desk, action: string, input: unknown) =>
  callActionByName(action, seller, [{ seller, mode: "test" }, input], request);

test("each write is sent to the service once, and its result is reported as far as it is known", async ({
  page,
}) => {
  const desk = await enter(page);
  for (const one of TESTED_WRITES)
    for (const name of FAULT_NAMES.filter(
      (fault) => !one.isDrastic || !EXPECTED_FAILURES[fault].isDone,
    )) {
      const { write: failure, isDone } = EXPECTED_FAILURES[name];
      const input = await one.prepare(api);
      proxy.fault = { name, strikes: one.strikes };
      proxy.asked.length = 0;
      const answer = await write(desk, one.action, input);
      const told = one.findsOut && isDone ? { ok: true } : { ok: false, failure };
      expect([one.action, name, answer]).toMatchObject([one.action, name, told]);
      expect([one.action, name, sentTo(one.strikes)]).toEqual([one.action, name, 1]);
      const done = await one.countDone?.(api, input as never);
      expect([one.action, name, done ?? isDone]).toEqual([
        one.action,
        name,
        done === undefined ? isDone : Number(isDone),
      ]);
      proxy.fault = null;
      if (one.isDrastic || one.isOnce) continue;
      const again = await write(desk, one.action, input);
      expect([one.action, name, again]).toMatchObject([one.action, name, { ok: true }]);
      expect(await one.countDone?.(api, input as never)).toBe(one.countDone && 1);
    }
});

const sentTo = (strikes: (request: ProxiedRequest) => boolean) =>
  proxy.asked.filter(strikes).length;

test("every write to the service is covered by the fault tests", () => {
  expect(listUntestedWrites()).toEqual([]);
});

test("a bulk change sends each write once, and after a fault reads the subscription to learn the result", async ({
  page,
}) => {
  const desk = await enter(page);
  const cancel = TESTED_WRITES[1];
  if (!cancel) throw new Error("there is no cancelling");
  for (const name of FAULT_NAMES) {
    const { subscription_id } = (await cancel.prepare(api)) as { subscription_id: string };
    const { status, ...dates } = await api(`/api/v1/subscriptions/${subscription_id}/`);
    const items = [{ ...dates, subscription_id, buyer: "Asha", status }];
    const started = await write(desk, "startBulkRunAction", {
      aim: { operation: "cancel" },
      items,
      undo_of: null,
    });
    expect(started).toMatchObject({ ok: true });
    const { value } = started as { value: { id: string } };
    proxy.fault = { name, strikes: cancel.strikes };
    proxy.asked.length = 0;
    const answer = await write(desk, "stepBulkRunAction", value);
    const { write: failure, isDone } = EXPECTED_FAILURES[name];
    const lost = isDone ? "done" : "failed";
    const state = failure.kind === "unavailable" ? lost : "waiting";
    expect([name, answer]).toMatchObject([name, { value: { item: { state } } }]);
    expect([name, sentTo(cancel.strikes)]).toEqual([name, 1]);
    expect([name, await cancel.countDone?.(api, { subscription_id } as never)]).toEqual([
      name,
      isDone ? 1 : 0,
    ]);
  }
});

test("a request to a service that never answers times out, and a write is not sent again", async ({
  page,
}) => {
  const desk = await enter(page);
  // Sandbox calls have a longer timeout.
  const paths = (await readAddresses(api, desk.seller)).filter(
    (path) => !/\/(?:sandbox|deliveries|webhooks)/.test(path),
  );
  // Only subscriptions: the page learns the outcome of a webhook's write in another way, which
  // takes longer.
  const writes = TESTED_WRITES.filter(({ action }) => action.includes("Subscription"));
  const inputs = await Promise.all(writes.map(({ prepare }) => prepare(api)));
  proxy.asked.length = 0;
  const isWrite = ({ method }: { method: string }) => method !== "GET";
  proxy.fault = { name: "hang", strikes: isWrite };
  const answers = writes.map((one, at) => write(desk, one.action, inputs[at]));
  await expect.poll(() => sentTo(isWrite)).toBe(writes.length);
  proxy.fault = { name: "hang" };
  const bodies = await Promise.all(paths.map((path) => readAs(desk, path)));
  const timeout = { kind: "unavailable", outcome_unknown: false, why: "timeout" };
  expect(bodies.map(failureIn)).toEqual(paths.map(() => timeout));
  for (const answer of await Promise.all(answers))
    expect(answer).toMatchObject({ failure: { ...timeout, outcome_unknown: true } });
  expect(sentTo(isWrite)).toBe(writes.length);
});

const main = (page: Page) => page.getByRole("main");
const wordsOf = (failure: Failure, call: "read" | "write" | "create") =>
  describeFailure(translator(), failure, call).title;

test("every page shows the service's error in place of its content, and recovers when the error ends", async ({
  page,
}) => {
  const { seller } = await enter(page);
  const home = `${product.url}/${seller}/test`;
  const ids = await readFirstIds(api);
  const pages: [path: string, back: RegExp][] = [
    ["", /All subscriptions|Recently created|Latest/],
    ["/subscriptions", /1–20 of/],
    [`/subscriptions/${ids["subscriptions"]}`, /Current period/],
    ["/subscriptions/new", /Product and plan/],
    ["/products", /1–\d+ of \d+/],
    [`/products/${ids["products"]}`, /Copy pbp_id/],
    ["/customers", /1–20 of/],
    ["/settings/webhooks", /127\.0\.0\.1:9/],
    ["/settings/webhooks/deliveries", /checkout\.succeeded/],
    ["/sandbox", /Reset/],
    [`/customers/${ids["customers"]}`, /Subscriptions/],
  ];
  // This fault sends a Retry-After of seven seconds.
  const names = FAULT_NAMES.filter(
    (name) => name !== "unauthorized" && name !== "rate_limited",
  );
  for (const [at, [path, back]] of pages.entries()) {
    const name = names[at % names.length] ?? "reset_before";
    proxy.fault = { name };
    await page.goto(`${home}${path}`);
    const panel = main(page).getByRole("alert").first();
    const failure: Failure = EXPECTED_FAILURES[name].read;
    await expect(panel).toContainText(wordsOf(failure, "read"));
    const retry = main(page).getByRole("button", { name: "Try again", exact: true }).first();
    // Failures that are not temporary need a click to retry.
    if (!isTemporaryFailure(failure)) await expect(retry).toBeEnabled();
    proxy.fault = null;
    if (!isTemporaryFailure(failure)) await retry.click();
    await expect(main(page)).toContainText(back);
  }
});

test("text typed into the new subscription form survives every fault, and one subscription is created", async ({
  page,
  buyer,
  shop,
}) => {
  await enter(page);
  await page.goto(page.url().replace(/\/subscriptions.*/, "/subscriptions/new"));
  await fillNewSubscription(page, buyer, shop.returnUrl);
  const create = page.getByRole("button", { name: "Create and get the link" });
  const strikes = TESTED_WRITES[0]?.strikes ?? (() => false);
  const names: FaultName[] = [
    "html_500",
    "reset_before",
    "rate_limited",
    "cut_json",
    "reset_after",
  ];
  for (const name of names) {
    proxy.fault = { name, strikes };
    await create.click();
    const { write: failure } = EXPECTED_FAILURES[name as keyof typeof EXPECTED_FAILURES];
    await expect(main(page).getByRole("alert")).toContainText(wordsOf(failure, "create"));
    await expect(visibleField(page, "Full name")).toHaveValue(buyer.full_name);
    await expect(create).toBeEnabled();
  }
  proxy.fault = null;
  await create.click();
  await expect(page.getByRole("textbox", { name: "Checkout link" })).toBeVisible();
  expect(await countSubscriptionsOfPhone(api, buyer.phone)).toBe(1);
});

test("after a lost answer the subscription is read again and the page shows whether the change went through", async ({
  page,
}) => {
  const { seller } = await enter(page);
  const { results } = await api("/api/v1/subscriptions/?status=active&page=2");
  const row = (results as { subscription_id: string; next_billing_cycle: string }[]).find(
    ({ next_billing_cycle }) => next_billing_cycle,
  );
  await page.goto(`${product.url}/${seller}/test/subscriptions/${row?.subscription_id}`);
  const cancel = page.getByRole("group", { name: "Actions" }).getByRole("button", {
    name: "Cancel",
  });
  const confirm = page.getByRole("dialog").getByRole("button", { name: "Cancel subscription" });
  const notice = main(page).getByRole("status").first();
  const strikes = ({ method }: { method: string }) => method === "POST";

  proxy.fault = { name: "reset_before", strikes };
  await cancel.click();
  await confirm.click();
  await expect(notice).toContainText("the change has not gone through");
  proxy.fault = { name: "late", strikes };
  await cancel.click();
  await confirm.click();
  await expect(notice).toContainText("the change has not gone through");
  // The page notices without any input that the service has made the change.
  await expect(notice).toContainText("the change went through");
  await expect(main(page)).toContainText("Pending cancellation");
  proxy.fault = null;
  await notice.getByRole("button", { name: "Undo" }).click();
  await expect(notice).toContainText("It is active again.");
});
