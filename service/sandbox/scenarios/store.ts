import type { ScenarioName } from "#contract/sandbox-names.ts";
import type { Database } from "../../db/database.ts";

export async function setScenario(
  database: Database,
  sellerId: number,
  name: ScenarioName | null,
): Promise<void> {
  await database.query("update seller set sandbox_scenario = $2 where seller_id = $1", [
    sellerId,
    name,
  ]);
}

export async function findScenario(
  database: Database,
  sellerId: number,
): Promise<ScenarioName | null> {
  const { rows } = await database.query<{ sandbox_scenario: ScenarioName | null }>(
    "select sandbox_scenario from seller where seller_id = $1",
    [sellerId],
  );
  return rows[0]?.sandbox_scenario ?? null;
}
