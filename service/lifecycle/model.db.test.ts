import fc from "fast-check";
import { describe, it } from "vitest";
import { sequence } from "../testing/model/actions.ts";
import { play } from "../testing/model/play.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

describe("the service and a simple model of the specification's state table", () => {
  it(
    "Spec, States and transitions: agree on every record, list, counter and event",
    { timeout: 120_000 },
    () =>
      fc.assert(
        fc.asyncProperty(sequence, (one) => play(service, one)),
        { numRuns: 300 },
      ),
  );
});
