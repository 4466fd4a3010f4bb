import type { FastifyInstance } from "fastify";
import { SCENARIO_NAMES } from "#contract/names.ts";
import { ReplacedAccount, ScenarioList, StartScenario } from "#contract/sandbox.ts";
import type { ServiceContext } from "../../context.ts";
import { sellerOf } from "../../http/authenticate.ts";
import { withRouteDoc } from "../../http/route-doc.ts";
import { writeRoute } from "../../http/write.ts";
import { BUSY_DESCRIPTION } from "../account/replace.ts";
import { SCENARIOS } from "./scenarios.ts";
import { findScenario, resetSeller, startScenario } from "./start.ts";

export function scenarioRoutes(api: FastifyInstance, context: ServiceContext) {
  api.get(
    "/scenarios/",
    withRouteDoc({ summary: "List scenarios", answer: ScenarioList }),
    async (request) => {
      const current = await findScenario(context.pool, sellerOf(request).seller_id);
      const results = SCENARIO_NAMES.map((name) => ({
        name,
        description: SCENARIOS[name].description,
        is_current: name === current,
      }));
      return { results };
    },
  );

  api.post(
    "/scenarios/",
    writeRoute(context, {
      summary: "Start a scenario",
      description:
        "Replaces the account's subscriptions, customers, events and deliveries, and resets its clock to real time. Products and webhook endpoints stay.",
      answer: ReplacedAccount,
      refusals: { 409: BUSY_DESCRIPTION },
      schema: StartScenario,
      work: async (writing, { name }) => {
        const undo = await startScenario(writing, name, context.now());
        return { message: `The account now contains the scenario ${name}.`, undo };
      },
    }),
  );

  api.post(
    "/reset/",
    writeRoute(context, {
      summary: "Restart the scenario",
      description:
        "Returns the account to the start of its scenario, or empties it if none was started.",
      answer: ReplacedAccount,
      refusals: { 409: BUSY_DESCRIPTION },
      work: async (writing) => {
        const { name, undo } = await resetSeller(writing, context.now());
        const start = name === null ? "empty" : `at the start of the scenario ${name}`;
        return { message: `The account is ${start} again.`, undo };
      },
    }),
  );
}
