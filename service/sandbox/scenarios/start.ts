import { randomUUID } from "node:crypto";
import { EVENT_KINDS, type ScenarioName } from "#contract/names.ts";
import { lockCheckout } from "../../checkout/open.ts";
import { recordFailure, settlePayment } from "../../checkout/settle.ts";
import { queryValue, type Database } from "../../db/database.ts";
import type { WriteContext } from "../../http/write.ts";
import { bookAccount } from "../../ledger/book.ts";
import { insertCatalogue } from "../../products/catalogue.ts";
import { NewProduct } from "../../products/input.ts";
import { VISIBLE_PERIOD } from "../../products/store.ts";
import { cancelSubscription } from "../../subscriptions/cancel.ts";
import { lockCurrentSubscription } from "../../subscriptions/catch-up.ts";
import { createSubscription } from "../../subscriptions/create.ts";
import { localDate } from "#contract/process/local-day.ts";
import { billingMoment } from "../../subscriptions/periods.ts";
import { rescheduleSubscription } from "../../subscriptions/reschedule.ts";
import { resumeSubscription } from "../../subscriptions/resume.ts";
import { createWebhook } from "../../webhooks/endpoints.ts";
import { clearSeller, UNREACHABLE_ENDPOINT, lockAccount } from "../account/replace.ts";
import { saveAutomaticState } from "../states/states.ts";
import { SCENARIOS, type Scenario, type ScenarioAction } from "./scenarios.ts";

/**
 * Replaces the seller's data with a scenario's; null empties the account.
 * @param realNow the real time, not the seller's
 * @returns the id of the state saved before, or null
 */
export async function startScenario(
  given: WriteContext,
  name: ScenarioName | null,
  realNow: Date,
  kind: "before_scenario" | "before_reset" = "before_scenario",
): Promise<number | null> {
  const { database } = given;
  const seller = { ...given.seller, clock_offset_ms: 0 };
  const { seller_id } = seller;
  await lockAccount(database, seller_id, realNow);
  const undo = await saveAutomaticState(database, { seller_id, realNow }, kind);
  await clearSeller(database, seller_id);
  await database.query("update seller set sandbox_scenario = $2 where seller_id = $1", [
    seller_id,
    name,
  ]);
  if (name === null) return undo;
  const write: WriteContext = { ...given, seller, clock: () => realNow };
  const scenario: Scenario = SCENARIOS[name];
  if (scenario.endpointIsDown)
    for (const event of EVENT_KINDS)
      await createWebhook(write, {
        event,
        endpoint_url: UNREACHABLE_ENDPOINT,
        is_active: true,
      });
  const period = await monthlyPeriod(database, seller_id, realNow);
  await playScenario(write, period, scenario.actions(seller.grace_days));
  return undo;
}

/** Restarts the last scenario, or empties the account if there was none. */
export async function resetSeller(write: WriteContext, realNow: Date) {
  const name = await findScenario(write.database, write.seller.seller_id);
  return { name, undo: await startScenario(write, name, realNow, "before_reset") };
}

export const findScenario = (database: Database, sellerId: number) =>
  queryValue<ScenarioName>(
    database,
    "select sandbox_scenario from seller where seller_id = $1",
    [sellerId],
  );

/** A monthly billing period that the seller offers, or a new one of a product created for it. */
const monthlyPeriod = async (database: Database, sellerId: number, now: Date) =>
  (await queryValue<string>(
    database,
    `select b.pbp_id from billing_period b
     join plan l using (seller_id, plan_id) join product p using (seller_id, product_id)
     where b.seller_id = $1 and b.interval_type = 'month' and b.interval_count = 1
       and p.is_active and ${VISIBLE_PERIOD}
     order by p.position, l.plan_order, b.period_order limit 1`,
    [sellerId],
  )) ?? insertMonthly(database, sellerId, now);

async function insertMonthly(database: Database, sellerId: number, now: Date): Promise<string> {
  const pbp_id = `sandbox-${randomUUID().slice(0, 8)}`;
  const period = {
    interval_type: "month",
    interval_count: 1,
    label: "Monthly",
    price: "500.00",
  };
  const product = NewProduct.parse({
    name: "Sandbox product",
    description: "Made by a scenario of the sandbox.",
    plans: [{ plan_name: "Standard", billing_periods: [{ ...period, pbp_id }] }],
  });
  await insertCatalogue(database, sellerId, [product], now);
  return pbp_id;
}

const BUYERS = [
  "Asmita Rai",
  "Bikash Thapa",
  "Chandra Gurung",
  "Dipa Shrestha",
  "Elina Tamang",
  "Furba Sherpa",
];

interface ScenarioRun {
  write: WriteContext;
  pbp_id: string;
  subscriptions: Map<number, string>;
}

/** Performs each action at noon of its day, and then the time-based changes until now. */
async function playScenario(
  write: WriteContext,
  pbp_id: string,
  actions: ScenarioAction[],
): Promise<void> {
  const { database, seller } = write;
  const now = write.clock();
  const today = localDate(now, seller.time_zone);
  const run: ScenarioRun = { write, pbp_id, subscriptions: new Map() };
  for (const action of actions) {
    const noon = billingMoment(today.subtract({ days: action.daysAgo }), seller.time_zone);
    const at = noon < now ? noon : now;
    await play({ ...run, write: { ...write, clock: () => at } }, action, today);
  }
  for (const id of run.subscriptions.values())
    await lockCurrentSubscription(database, seller, id, now);
  await bookAccount(database, seller.seller_id);
}

async function play(
  run: ScenarioRun,
  action: ScenarioAction,
  today: Temporal.PlainDate,
): Promise<void> {
  const { write } = run;
  const id = run.subscriptions.get(action.buyer) ?? (await create(run, action.buyer));
  if (action.does === "cancel") await cancelSubscription(write, id);
  else if (action.does === "resume") await resumeSubscription(write, id);
  else if (action.does === "reschedule") {
    const next_billing_cycle = today.subtract({ days: action.toDaysAgo }).toString();
    await rescheduleSubscription(write, { subscription_id: id, next_billing_cycle });
  } else {
    const checkout = await lockCheckout(write.database, id, write.clock());
    if (action.does === "decline") await recordFailure(write.database, checkout);
    else await settlePayment(write.database, checkout, { method: "wallet" });
  }
}

async function create(
  { write, pbp_id, subscriptions }: ScenarioRun,
  buyer: number,
): Promise<string> {
  const { subscription_id } = await createSubscription(write, {
    pbp_id,
    return_url: "https://shop.example/thanks",
    client: {
      phone: `98000000${10 + buyer}`,
      full_name: BUYERS[buyer] ?? "Gita Karki",
      email: `buyer${buyer + 1}@example.com`,
      address: "Patan, Lalitpur",
    },
  });
  subscriptions.set(buyer, subscription_id);
  return subscription_id;
}
