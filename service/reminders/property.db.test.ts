import fc from "fast-check";
import { it } from "vitest";
import { playReminders } from "../testing/reminders/play.ts";
import { arbitraryReminders } from "../testing/reminders/sequence.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

it(
  "after random events, every due reminder is sent exactly once and on time, and no other reminder is sent",
  { timeout: 600_000 },
  () =>
    fc.assert(
      fc.asyncProperty(arbitraryReminders, (one) => playReminders(service, one)),
      { numRuns: 100 },
    ),
);
