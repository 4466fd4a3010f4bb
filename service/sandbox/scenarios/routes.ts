import type { FastifyInstance } from "fastify";
import { SCENARIO_NAMES } from "#contract/sandbox-names.ts";
import { StartScenario } from "#contract/sandbox.ts";
import type { ServiceContext } from "../../context.ts";
import { sellerOf } from "../../http/authenticate.ts";
import { write } from "../../http/write.ts";
import { resetSeller, startScenario } from "./reset.ts";
import { SCENARIOS } from "./scenarios.ts";
import { findScenario } from "./store.ts";

export function scenarioRoutes(api: FastifyInstance, context: ServiceContext) {
  api.get("/scenarios/", async (request) => {
    const current = await findScenario(context.pool, sellerOf(request).seller_id);
    const results = SCENARIO_NAMES.map((name) => ({
      name,
      description: SCENARIOS[name].description,
      is_current: name === current,
    }));
    return { results };
  });

  api.post(
    "/scenarios/",
    write(context, {
      status: 200,
      schema: StartScenario,
      work: async (writing, { name }) => {
        const undo = await startScenario(writing, name, context.now());
        return { message: `The account now begins with the scenario ${name}.`, undo };
      },
    }),
  );

  api.post(
    "/reset/",
    write(context, {
      status: 200,
      work: async (writing) => {
        const { name, undo } = await resetSeller(writing, context.now());
        const start = name === null ? "empty" : `at the start of the scenario ${name}`;
        return { message: `The account is ${start} again.`, undo };
      },
    }),
  );
}
