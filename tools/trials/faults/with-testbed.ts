import { openDashboardClient } from "./dashboard-client.ts";
import { Testbed, type Outcome, type Running } from "./testbed.ts";

/** Closes it in any case: after a failure nothing may keep the command from ending. */
export async function withTestbed(run: (testbed: Testbed) => Promise<Outcome>): Promise<Outcome> {
  const testbed = await Testbed.open();
  try {
    return await run(testbed);
  } finally {
    await testbed.close();
  }
}

/** @param between what stands between the two, by its address; else nothing does */
export async function startAll(
  testbed: Testbed,
  { service, between = service.url }: { service: Running; between?: string },
  environment: Record<string, string> = {},
) {
  const dashboard = await testbed.startDashboard(between, environment);
  const sellerClient = await testbed.openSellerClient(service);
  return { service, dashboard, sellerClient, dashboardClient: await openDashboardClient(sellerClient) };
}
