import * as z from "zod";
import { SCENARIO_NAMES } from "./scenarios.ts";

const Name = z.enum(SCENARIO_NAMES, { error: `Use one of ${SCENARIO_NAMES.join(", ")}.` });

export const StartScenario = z.object({ name: Name });

export const ScenarioList = z.strictObject({
  results: z.array(
    z.strictObject({ name: Name, description: z.string(), is_current: z.boolean() }),
  ),
});
