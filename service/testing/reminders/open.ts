import { onTestFinished } from "vitest";
import { setUpReminders } from "./schedule.ts";

/** Like `setUpReminders`, but closes the gateway when the test has finished. */
export async function openReminders(...options: Parameters<typeof setUpReminders>) {
  const opened = await setUpReminders(...options);
  onTestFinished(() => opened.gateway.close());
  return opened;
}
