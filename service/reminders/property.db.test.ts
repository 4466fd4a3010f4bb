import fc from "fast-check";
import { it } from "vitest";
import { playReminders } from "../testing/reminders/play.ts";
import { arbitraryReminders } from "../testing/reminders/sequence.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

it(
  "exactly the due reminders arrive: none twice, late, unwanted or forgotten",
  { timeout: 600_000 },
  () =>
    fc.assert(
      fc.asyncProperty(arbitraryReminders, (one) => playReminders(service, one)),
      { numRuns: 100 },
    ),
);
