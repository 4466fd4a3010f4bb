import fc from "fast-check";
import { afterAll, beforeAll, it } from "vitest";
import { startPaymentSimulators } from "#tools/simulators/start-payment-simulators.ts";
import type { PaymentSimulators } from "../../testing/payments/books.ts";
import { playPayments } from "../../testing/payments/play.ts";
import { arbitraryPayments } from "../../testing/payments/sequence.ts";
import { useTestService } from "../../testing/use-service.ts";

const service = useTestService();
let simulators: PaymentSimulators;
beforeAll(async () => void (simulators = await startPaymentSimulators()));
afterAll(() => simulators.close());

it("each amount that a provider took is exactly one of: booked, held, owed as a refund, or refunded", () =>
  fc.assert(
    fc.asyncProperty(arbitraryPayments, async (one) => {
      await playPayments(service, simulators, one);
    }),
    { numRuns: 5 },
  ));
