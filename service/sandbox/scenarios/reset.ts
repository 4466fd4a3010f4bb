import { randomUUID } from "node:crypto";
import { EVENT_KINDS } from "#contract/events.ts";
import type { ScenarioName } from "#contract/sandbox-names.ts";
import { queryValue, type Database } from "../../db/database.ts";
import type { WriteContext } from "../../http/write.ts";
import { insertCatalogue } from "../../products/catalogue.ts";
import { VISIBLE_PERIOD } from "../../products/store.ts";
import { createWebhook } from "../../webhooks/endpoints.ts";
import { clearSeller, DOWN_ENDPOINT, lockAccount } from "../account/replace.ts";
import { saveAutomatically } from "../states/states.ts";
import { playScenario } from "./play.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

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
  const undo = await saveAutomatically(database, { seller_id, realNow }, kind);
  await clearSeller(database, seller_id);
  await setScenario(database, seller_id, name);
  if (name === null) return undo;
  const write: WriteContext = { ...given, seller, clock: () => realNow };
  const scenario: Scenario = SCENARIOS[name];
  if (scenario.endpointIsDown)
    for (const event of EVENT_KINDS)
      await createWebhook(write, { event, endpoint_url: DOWN_ENDPOINT, is_active: true });
  const period = await monthlyPeriod(database, seller_id, realNow);
  await playScenario(write, period, scenario.actions(seller.grace_days));
  return undo;
}

/** Restarts the last scenario, or empties the account if there was none. */
export async function resetSeller(write: WriteContext, realNow: Date) {
  const name = await findScenario(write.database, write.seller.seller_id);
  return { name, undo: await startScenario(write, name, realNow, "before_reset") };
}

async function setScenario(
  database: Database,
  sellerId: number,
  name: ScenarioName | null,
): Promise<void> {
  await database.query("update seller set sandbox_scenario = $2 where seller_id = $1", [
    sellerId,
    name,
  ]);
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
     join plan l using (plan_id) join product p using (product_id)
     where b.seller_id = $1 and b.interval_type = 'month' and b.interval_count = 1
       and p.is_active and ${VISIBLE_PERIOD}
     order by p.position, l.plan_order, b.period_order limit 1`,
    [sellerId],
  )) ?? insertMonthly(database, sellerId, now);

async function insertMonthly(database: Database, sellerId: number, now: Date): Promise<string> {
  const pbp_id = `sandbox-${randomUUID().slice(0, 8)}`;
  const period = {
    pbp_id,
    interval_type: "month" as const,
    interval_count: 1,
    label: "Monthly",
    price: "500.00",
    currency: "NPR",
    offers: [],
  };
  const product = {
    name: "Sandbox product",
    description: "Made by a scenario of the sandbox.",
    terms_and_conditions: "",
    features_and_benefits: "",
    vat: { is_vat_active: false, vat_type: "inclusive" as const, vat_percentage: "0" },
    images: [],
    plans: [{ plan_name: "Standard", description: "", billing_periods: [period] }],
  };
  await insertCatalogue(database, sellerId, [product], now);
  return pbp_id;
}
