import { enter } from "./dashboard-client.ts";
import { Stage, type Outcome, type Running } from "./testbed.ts";

/** Closes it in any case: after a failure nothing may keep the command from ending. */
export async function onStage(run: (stage: Stage) => Promise<Outcome>): Promise<Outcome> {
  const stage = await Stage.open();
  try {
    return await run(stage);
  } finally {
    await stage.close();
  }
}

/** @param between what stands between the two, by its address; else nothing does */
export async function openAll(
  stage: Stage,
  { service, between = service.url }: { service: Running; between?: string },
  environment: Record<string, string> = {},
) {
  const dashboard = await stage.startDashboard(between, environment);
  const trade = await stage.openTrade(service);
  return { service, dashboard, trade, desk: await enter(trade) };
}
