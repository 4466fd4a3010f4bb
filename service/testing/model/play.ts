import assert from "node:assert/strict";
import { CustomerPage } from "#contract/customers.ts";
import { ProductPage } from "#contract/products.ts";
import { SUBSCRIPTION_STATUSES } from "#contract/names.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { lockCheckout } from "../../checkout/open.ts";
import { settlePayment } from "../../checkout/settle.ts";
import { transaction } from "../../db/database.ts";
import { SellerApi } from "../seller-api.ts";
import type { ServiceClient } from "../service.ts";
import type { ModelAction, ActionSequence } from "./actions.ts";
import { dayText } from "./calendar.ts";
import { Model, type ModelPeriod, type ModelRecord } from "./model.ts";
import type { ClockControl } from "./time.ts";

const HOUR = 3_600_000;
const BETWEEN_CODES = 30_000;
const PAGE = "?page_size=3";
const LEFT = "checkout.failed: pending_checkout > pending_checkout (abandoned)";
const SELLERS = [
  { time_zone: "Asia/Kathmandu", offset: 5.75 * HOUR, graceDays: 7 },
  { time_zone: "Pacific/Honolulu", offset: -10 * HOUR, graceDays: 0 },
];
const BUYERS = ["9800000001", "9800000002"];
const INTERVALS: Record<string, ModelPeriod["interval"]> = {
  monthly: { unit: "month", count: 1 },
  yearly: { unit: "year", count: 1 },
  weekly: { unit: "week", count: 1 },
  days: { unit: "day", count: 10 },
  once: null,
};

interface Stage<Service extends ServiceClient> {
  api: SellerApi<Service>;
  model: Model;
  periods: ModelPeriod[];
}

interface Scene<Service extends ServiceClient> {
  stages: Stage<Service>[];
  time: ClockControl<Service>;
}

/** Plays one sequence on the service and on the model, and compares them. */
export async function playSequence<Service extends ServiceClient>(
  service: Service,
  time: ClockControl<Service>,
  { start, actions }: ActionSequence,
): Promise<void> {
  const stages = await Promise.all(SELLERS.map((seller) => openStage(service, seller)));
  const scene = { stages, time };
  const apis = stages.map(({ api }) => api);
  const begin = await time.begin(apis, start);
  for (const { model } of stages) model.setTime(begin);
  for (const action of actions) await perform(scene, action);
  for (const stage of stages) {
    await time.settle(stage.api);
    await compare(stage, time);
  }
}

async function openStage<Service extends ServiceClient>(
  service: Service,
  { time_zone, offset, graceDays }: (typeof SELLERS)[number],
): Promise<Stage<Service>> {
  const api = await SellerApi.open(service, { time_zone, grace_days: graceDays });
  const periods = Object.entries(INTERVALS).map(([name, interval]) => ({
    name: api.periods[name as keyof SellerApi["periods"]],
    plan: name === "weekly" || name === "days" ? "second" : "first",
    interval,
  }));
  return { api, model: new Model({ offset, graceDays }), periods };
}

async function perform<Service extends ServiceClient>(
  scene: Scene<Service>,
  action: ModelAction,
): Promise<void> {
  if (action.do === "wait") {
    const hours = action.hours * HOUR;
    return moveTo(scene, (scene.stages[0]?.model.moment ?? 0) + hours, action);
  }
  const stage = scene.stages[action.seller] as Stage<Service>;
  if (action.do === "create") return create(stage, action);
  const { records } = stage.model;
  const one = records[action.record % Math.max(1, records.length)];
  if (!one) return;
  if (action.do === "reach") {
    const beginning = stage.model.beginningOf(one, action.days + (action.end ? 1 : 0));
    if (beginning === null) return;
    const to = action.end ? beginning - scene.time.lastMoment : beginning;
    return moveTo(scene, to, action);
  }
  const { status } = one;
  const answers = await act(scene, { stage, one, action });
  assert.equal(answers.real, answers.model, `${action.do} of one that is ${status}`);
}

async function moveTo<Service extends ServiceClient>(
  { stages, time }: Scene<Service>,
  to: number,
  { sweep }: { sweep: boolean },
) {
  const apis = stages.map(({ api }) => api);
  const now = stages[0]?.model.moment ?? 0;
  if (to > now) {
    if (!(await time.move(apis, to, { sweep }))) return;
    for (const { model } of stages) model.setTime(to);
  } else if (sweep) for (const api of apis) await time.settle(api);
}

async function create(
  { api, model, periods }: Stage<ServiceClient>,
  action: { buyer: number; period: number },
) {
  const period = periods[action.period] as ModelPeriod;
  const phone = BUYERS[action.buyer] as string;
  const answer = await api.requestCreate(period.name, { phone });
  const expected = model.create(phone, period, answer.json().subscription_id ?? null);
  assert.equal(answer.statusCode, expected, `create: ${answer.body}`);
}

interface Step {
  stage: Stage<ServiceClient>;
  one: ModelRecord;
  action: Exclude<ModelAction, { do: "wait" | "reach" | "create" }>;
}

async function act(
  { stages, time }: { stages: Stage<ServiceClient>[]; time: Slack },
  { stage: { api, model }, one, action }: Step,
): Promise<{ real: string | number; model: string | number }> {
  switch (action.do) {
    case "checkout":
      return payByForms({ api, model }, one, { ...action, ...time });
    case "provider":
      return { real: await payByProvider(api.service, one.id), model: model.provider(one) };
    case "cancel":
      return { real: (await api.requestCancel(one.id)).statusCode, model: model.cancel(one) };
    case "resume":
      return { real: (await api.requestResume(one.id)).statusCode, model: model.resume(one) };
    case "intrude": {
      const intruder = (stages[1 - action.seller] as Stage<ServiceClient>).api;
      return { real: (await intruder.requestCancel(one.id)).statusCode, model: 404 };
    }
    case "reschedule": {
      const day = model.today + action.days;
      const answer = await api.requestReschedule(one.id, dayText(day));
      return { real: answer.statusCode, model: model.reschedule(one, day) };
    }
  }
}

/** ADR 0060: an unused code delays the next one, by real time. */
async function payByForms(
  { api, model }: Pick<Stage<ServiceClient>, "api" | "model">,
  one: ModelRecord,
  { approve, tolerance }: { approve: boolean; tolerance: number },
) {
  const begun = api.service.clock.now().getTime();
  const real = (await api.pay(one.id, approve ? "approve" : "decline")) ?? "nowhere";
  const age = begun - one.unusedCode;
  const mayBeTooSoon = real === "too_soon" && age < BETWEEN_CODES + tolerance;
  const isTooSoon = mayBeTooSoon || age < BETWEEN_CODES - tolerance;
  if (real === "duplicate") one.unusedCode = begun;
  return { real, model: model.checkout(one, { approve, isTooSoon }) };
}

function payByProvider({ pool, clock }: ServiceClient, id: string): Promise<string> {
  return transaction(pool, async (database) => {
    const checkout = await lockCheckout(database, id, clock.now());
    return settlePayment(database, checkout, { method: "bank" });
  });
}

type Slack = Pick<ClockControl<ServiceClient>, "tolerance" | "abandonments">;

/** Compares after a sweep: each subscription, its events, every list and every counter. */
async function compare(stage: Stage<ServiceClient>, slack: Slack): Promise<void> {
  const { api, model } = stage;
  const newestFirst = model.records.toReversed();
  const listed = await readPages(api, PAGE);
  assert.deepEqual(
    listed.map((row, index) => shown(row, newestFirst[index]?.start ?? null, slack)),
    newestFirst.map((one) => expectedOf(model, one)),
  );
  for (const status of SUBSCRIPTION_STATUSES) {
    const filtered = await readPages(api, `${PAGE}&status=${status}`);
    assert.deepEqual(
      filtered.map((row) => row.subscription_id),
      newestFirst.filter((one) => one.status === status).map((one) => one.id),
    );
  }
  await compareCounters(stage);
  await compareEvents(stage, slack);
  await compareCustomers(stage);
}

async function readPages(
  api: SellerApi<ServiceClient>,
  query: string,
): Promise<Subscription[]> {
  const rows: Subscription[] = [];
  for (let next: string | null = query; next !== null;) {
    const page = await api.list(next);
    rows.push(...page.results);
    next = page.next && new URL(page.next).search;
  }
  return rows;
}

const shown = (row: Subscription, start: Date | null, { tolerance }: Slack) => ({
  id: row.subscription_id,
  status: row.status,
  is_active: row.is_active,
  period: row.product.pbp_id,
  phone: row.client.phone,
  start: isSoonAfter(row.current_period_start, start, tolerance)
    ? (start?.toISOString() ?? null)
    : row.current_period_start,
  end: row.current_period_end,
  next: row.next_billing_cycle,
});

function isSoonAfter(moment: string | null, start: Date | null, tolerance: number) {
  const late = Date.parse(moment ?? "") - (start?.getTime() ?? 0);
  return late >= 0 && late <= tolerance;
}

const expectedOf = (model: Model, one: ModelRecord): ReturnType<typeof shown> => ({
  id: one.id,
  status: one.status,
  is_active: one.status === "active",
  period: one.period.name,
  phone: one.buyer,
  start: one.start?.toISOString() ?? null,
  end: model.billingMoment(one),
  next: model.billingMoment(one),
});

async function compareCounters({ api, model: { records } }: Stage<ServiceClient>) {
  const recurring = records.filter((one) => one.period.interval !== null);
  const subscriptionData = (...statuses: string[]) =>
    recurring.filter((one) => statuses.includes(one.status)).length;
  const page = await api.list();
  assert.deepEqual(
    [page.count, page.total_subscriptions, page.active_subscriptions],
    [records.length, recurring.length, subscriptionData("active")],
  );
  assert.deepEqual(
    [page.due_subscriptions, page.inactive_subscriptions],
    [subscriptionData("due"), subscriptionData("inactive")],
  );
  const products = await api.call({ url: "/api/v1/products/" });
  const subscribers = ProductPage.parse(products.json()).results.reduce(
    (sum, product) => sum + Number(product.total_subscribers),
    0,
  );
  assert.equal(subscribers, subscriptionData("active", "due", "pending_cancellation"));
}

async function compareEvents({ api, model }: Stage<ServiceClient>, { abandonments }: Slack) {
  for (const one of model.records) {
    const events = await api.events(one.id);
    // The time at which an abandoned checkout is found depends on the sweep.
    const left = events.filter((event) => event === LEFT);
    assert.ok(left.length <= abandonments, `${left.length} times: ${LEFT}`);
    assert.deepEqual(
      events.filter((event) => event !== LEFT),
      one.events,
    );
    const { rowCount } = await api.service.pool.query(
      "select 1 from payment where subscription_id = $1",
      [one.id],
    );
    assert.equal(rowCount, one.payments);
  }
}

async function compareCustomers({ api, model }: Stage<ServiceClient>) {
  const answer = await api.call({ url: "/api/v1/customers/" });
  const page = CustomerPage.parse(answer.json());
  assert.deepEqual(
    page.results.map((customer) => customer.buyer_phone),
    model.buyers.toReversed(),
  );
}
