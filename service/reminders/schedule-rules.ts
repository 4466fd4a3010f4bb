import { ApiError } from "../http/errors.ts";
import { isQuietTime } from "#contract/process/reminder-calendar.ts";
import type { Schedule } from "./schedule-store.ts";

/**
 * @throws 400 for two steps with the same time, a step in the quiet hours or without a text in the
 * schedule's language, and a schedule that is on without steps
 */
export function requireScheduleThatWorks(schedule: Schedule): void {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const [index, step] of schedule.steps.entries()) {
    const say = (field: string, text: string) => problems.push(`${index}.${field}: ${text}`);
    const when = JSON.stringify([step.kind, step.days, step.hours, step.at_time]);
    if (seen.has(when)) say("kind", "Another step has the same time.");
    seen.add(when);
    if (step.at_time !== null && isQuietTime(schedule, step.at_time))
      say("time", "This time lies in the quiet hours.");
    if (!step.texts.some(({ language }) => language === schedule.language))
      say("texts", `Add a text in the schedule's language, ${schedule.language}.`);
  }
  if (problems.length > 0) throw new ApiError(400, { steps: problems });
  if (schedule.is_on && schedule.steps.length === 0)
    throw new ApiError(400, { is_on: ["Add a step first."] });
}
