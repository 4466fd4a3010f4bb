import { onTestFinished } from "vitest";
import { setUpReminders } from "./schedule.ts";

/** Set up for one test. */
export async function openReminders(...options: Parameters<typeof setUpReminders>) {
  const opened = await setUpReminders(...options);
  onTestFinished(() => opened.gateway.close());
  return opened;
}
