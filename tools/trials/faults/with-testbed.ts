import { openDashboardClient } from "./dashboard-client.ts";
import { Testbed, type FaultOutcome, type RunningProgram } from "./testbed.ts";

/** Runs a trial on a new testbed, and closes the testbed even after a failure. */
export async function withTestbed(
  run: (testbed: Testbed) => Promise<FaultOutcome>,
): Promise<FaultOutcome> {
  const testbed = await Testbed.open();
  try {
    return await run(testbed);
  } finally {
    await testbed.close();
  }
}

/** Starts service and dashboard. @param between URL of a proxy between them; none by default */
export async function startServiceAndDashboard(
  testbed: Testbed,
  { service, between = service.url }: { service: RunningProgram; between?: string },
  environment: Record<string, string> = {},
) {
  const dashboard = await testbed.startDashboard(between, environment);
  const sellerClient = await testbed.openSellerClient(service);
  return {
    service,
    dashboard,
    sellerClient,
    dashboardClient: await openDashboardClient(sellerClient),
  };
}
