import fc from "fast-check";
import { describe, it } from "vitest";
import { arbitrarySequence, type ActionSequence } from "../testing/model/actions.ts";
import { playSequence } from "../testing/model/play.ts";
import { testClockControl } from "../testing/model/time.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

const first = { seller: 0, record: 0 };
const second = { seller: 0, record: 1 };
const create = { do: "create", seller: 0, buyer: 0, period: 0 } as const;
/** A rare sequence that is always tested: an unused code delays the next one. */
const UNUSED_CODE: ActionSequence = {
  start: "2026-03-10T18:10:00Z",
  actions: [
    create,
    { do: "checkout", ...first, approve: true },
    { do: "cancel", ...first },
    create,
    { do: "resume", ...first },
    { do: "checkout", ...second, approve: true },
    { do: "checkout", ...second, approve: true },
    { do: "wait", hours: 1, sweep: true },
    { do: "checkout", ...second, approve: true },
  ],
};

describe("the service and a model of the specification's state table", () => {
  it(
    "Spec, States and transitions: agree on records, lists, counters and events after random steps",
    { timeout: 240_000 },
    () =>
      fc.assert(
        fc.asyncProperty(arbitrarySequence, (one) =>
          playSequence(service, testClockControl(service), one),
        ),
        { numRuns: 300, examples: [[UNUSED_CODE]] },
      ),
  );
});
