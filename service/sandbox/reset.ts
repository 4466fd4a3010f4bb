import { EVENT_KINDS } from "#contract/events.ts";
import type { ScenarioName } from "#contract/sandbox-names.ts";
import type { Write } from "../http/write.ts";
import { createWebhook } from "../webhooks/create.ts";
import { clearSeller, DOWN_ENDPOINT } from "./clear.ts";
import { monthlyPeriod } from "./period.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";
import { findScenario, setScenario } from "./store.ts";
import { tellStory } from "./tell.ts";

/** Replaces all that the seller has by a scenario; null for nothing. @param realNow no seller's clock */
export async function startScenario(
  given: Write,
  name: ScenarioName | null,
  realNow: Date,
): Promise<void> {
  const { database } = given;
  const seller = { ...given.seller, clock_offset_ms: 0 };
  await clearSeller(database, seller.seller_id, realNow);
  await setScenario(database, seller.seller_id, name);
  if (name === null) return;
  const write: Write = { ...given, seller, clock: () => realNow };
  const scenario: Scenario = SCENARIOS[name];
  if (scenario.endpointIsDown)
    for (const event of EVENT_KINDS)
      await createWebhook(write, { event, endpoint_url: DOWN_ENDPOINT, is_active: true });
  const period = await monthlyPeriod(database, seller.seller_id, realNow);
  await tellStory(write, period, scenario.acts(seller.grace_days));
}

/** Back to the start of the scenario that was begun last. @returns its name, null for none */
export async function resetSeller(write: Write, realNow: Date): Promise<ScenarioName | null> {
  const name = await findScenario(write.database, write.seller.seller_id);
  await startScenario(write, name, realNow);
  return name;
}
