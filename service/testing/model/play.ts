import assert from "node:assert/strict";
import { CustomerPage } from "#contract/customers.ts";
import { ProductPage } from "#contract/products.ts";
import { SUBSCRIPTION_STATUSES, type Subscription } from "#contract/subscriptions.ts";
import { lockCheckout } from "../../checkout/open.ts";
import { settlePayment } from "../../checkout/settle.ts";
import { transaction } from "../../db/database.ts";
import { Desk } from "../desk.ts";
import type { TestService } from "../service.ts";
import type { Action, Sequence } from "./actions.ts";
import { textOf } from "./calendar.ts";
import { Model, type ModelPeriod, type ModelRecord } from "./model.ts";

const HOUR = 3_600_000;
const PAGE = "?page_size=3";
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

interface Stage {
  desk: Desk;
  model: Model;
  periods: ModelPeriod[];
}

/** Plays one sequence on the service and on the model, and holds them against each other. */
export async function play(service: TestService, { start, actions }: Sequence): Promise<void> {
  service.clock.set(start);
  const stages = await Promise.all(SELLERS.map((seller) => openStage(service, seller)));
  for (const { model } of stages) model.setTime(service.clock.now().getTime());
  for (const action of actions) await perform(service, stages, action);
  for (const stage of stages) {
    await stage.desk.wait(0);
    await compare(stage);
  }
}

async function openStage(
  service: TestService,
  { time_zone, offset, graceDays }: (typeof SELLERS)[number],
): Promise<Stage> {
  const desk = await Desk.open(service, { time_zone, grace_days: graceDays });
  const periods = Object.entries(INTERVALS).map(([name, interval]) => ({
    name: desk.periods[name as keyof Desk["periods"]],
    plan: name === "weekly" || name === "days" ? "second" : "first",
    interval,
  }));
  return { desk, model: new Model({ offset, graceDays }), periods };
}

async function perform(service: TestService, stages: Stage[], action: Action): Promise<void> {
  if (action.do === "wait") {
    const to = service.clock.now().getTime() + action.hours * HOUR;
    return moveTo(service, stages, { to, sweep: action.sweep });
  }
  const stage = stages[action.seller] as Stage;
  if (action.do === "create") return create(stage, action);
  const { records } = stage.model;
  const one = records[action.record % Math.max(1, records.length)];
  if (!one) return;
  if (action.do === "reach") {
    const beginning = stage.model.beginningOf(one, action.days + (action.end ? 1 : 0));
    if (beginning === null) return;
    const to = action.end ? beginning - 1 : beginning;
    return moveTo(service, stages, { to, sweep: action.sweep });
  }
  const { status } = one;
  const answers = await act(service, stages, { stage, one, action });
  assert.equal(answers.real, answers.model, `${action.do} of one that is ${status}`);
}

/** Time never runs backwards here. */
async function moveTo(
  { clock }: TestService,
  stages: Stage[],
  { to, sweep }: { to: number; sweep: boolean },
) {
  clock.set(new Date(Math.max(to, clock.now().getTime())).toISOString());
  for (const { desk, model } of stages) {
    model.setTime(clock.now().getTime());
    if (sweep) await desk.wait(0);
  }
}

async function create(
  { desk, model, periods }: Stage,
  action: { buyer: number; period: number },
) {
  const period = periods[action.period] as ModelPeriod;
  const phone = BUYERS[action.buyer] as string;
  const answer = await desk.requestCreate(period.name, { phone });
  const expected = model.create(phone, period, answer.json().subscription_id ?? null);
  assert.equal(answer.statusCode, expected, `create: ${answer.body}`);
}

interface Step {
  stage: Stage;
  one: ModelRecord;
  action: Exclude<Action, { do: "wait" | "reach" | "create" }>;
}

async function act(
  service: TestService,
  stages: Stage[],
  { stage: { desk, model }, one, action }: Step,
): Promise<{ real: string | number; model: string | number }> {
  switch (action.do) {
    case "checkout":
      return {
        real: (await desk.pay(one.id, action.approve ? "approve" : "decline")) ?? "nowhere",
        model: model.checkout(one, action.approve),
      };
    case "provider":
      return { real: await payByProvider(service, one.id), model: model.provider(one) };
    case "cancel":
      return { real: (await desk.requestCancel(one.id)).statusCode, model: model.cancel(one) };
    case "resume":
      return { real: (await desk.requestResume(one.id)).statusCode, model: model.resume(one) };
    case "intrude": {
      const intruder = (stages[1 - action.seller] as Stage).desk;
      return { real: (await intruder.requestCancel(one.id)).statusCode, model: 404 };
    }
    case "reschedule": {
      const day = model.today + action.days;
      const answer = await desk.requestReschedule(one.id, textOf(day));
      return { real: answer.statusCode, model: model.reschedule(one, day) };
    }
  }
}

function payByProvider({ pool, clock }: TestService, id: string): Promise<string> {
  return transaction(pool, async (database) => {
    const now = clock.now();
    const { seller, subscription } = await lockCheckout(database, id, now);
    return settlePayment(database, { seller, subscription, method: "bank", now });
  });
}

/** After a sweep: each record, its events, every list and every counter. */
async function compare(stage: Stage): Promise<void> {
  const { desk, model } = stage;
  const newestFirst = model.records.toReversed();
  const listed = await walk(desk, PAGE);
  assert.deepEqual(
    listed.map(shown),
    newestFirst.map((one) => expectedOf(model, one)),
  );
  for (const status of SUBSCRIPTION_STATUSES) {
    const filtered = await walk(desk, `${PAGE}&status=${status}`);
    assert.deepEqual(
      filtered.map((row) => row.subscription_id),
      newestFirst.filter((one) => one.status === status).map((one) => one.id),
    );
  }
  await compareCounters(stage);
  await compareEvents(stage);
  await compareCustomers(stage);
}

async function walk(desk: Desk, query: string): Promise<Subscription[]> {
  const rows: Subscription[] = [];
  for (let next: string | null = query; next !== null;) {
    const page = await desk.list(next);
    rows.push(...page.results);
    next = page.next && new URL(page.next).search;
  }
  return rows;
}

const shown = (row: Subscription) => ({
  id: row.subscription_id,
  status: row.status,
  is_active: row.is_active,
  period: row.product.pbp_id,
  phone: row.client.phone,
  start: row.current_period_start,
  end: row.current_period_end,
  next: row.next_billing_cycle,
});

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

async function compareCounters({ desk, model: { records } }: Stage) {
  const recurring = records.filter((one) => one.period.interval !== null);
  const standing = (...statuses: string[]) =>
    recurring.filter((one) => statuses.includes(one.status)).length;
  const page = await desk.list();
  assert.deepEqual(
    [page.count, page.total_subscriptions, page.active_subscriptions],
    [records.length, recurring.length, standing("active")],
  );
  assert.deepEqual(
    [page.due_subscriptions, page.inactive_subscriptions],
    [standing("due"), standing("inactive")],
  );
  const products = await desk.call({ url: "/api/v1/products/" });
  const subscribers = ProductPage.parse(products.json()).results.reduce(
    (sum, product) => sum + Number(product.total_subscribers),
    0,
  );
  assert.equal(subscribers, standing("active", "due", "pending_cancellation"));
}

async function compareEvents({ desk, model }: Stage) {
  for (const one of model.records) {
    assert.deepEqual(await desk.events(one.id), one.events);
    const { rowCount } = await desk.service.pool.query(
      "select 1 from payment where subscription_id = $1",
      [one.id],
    );
    assert.equal(rowCount, one.payments);
  }
}

async function compareCustomers({ desk, model }: Stage) {
  const answer = await desk.call({ url: "/api/v1/customers/" });
  const page = CustomerPage.parse(answer.json());
  assert.deepEqual(
    page.results.map((customer) => customer.buyer_phone),
    model.buyers.toReversed(),
  );
}
