import { EVENT_KINDS } from "#contract/events.ts";
import type { ScenarioName } from "#contract/sandbox-names.ts";
import type { WriteContext } from "../../http/write.ts";
import { createWebhook } from "../../webhooks/create.ts";
import { clearSeller, DOWN_ENDPOINT } from "../account/clear.ts";
import { monthlyPeriod } from "./monthly-period.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";
import { saveAutomatically } from "../states/states.ts";
import { findScenario, setScenario } from "./store.ts";
import { lockAccount } from "../account/lock-account.ts";
import { playScenario } from "./play.ts";

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
