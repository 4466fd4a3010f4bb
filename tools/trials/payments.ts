import { playPayments } from "../../service/testing/payments/play.ts";
import { arbitraryPayments } from "../../service/testing/payments/sequence.ts";
import { startPaymentSimulators } from "../simulators/start-payment-simulators.ts";
import { runCommand } from "#scripts/process/command.ts";
import { runSequences } from "./random-sequences.ts";

const HELP = `Usage: npm run trial payments -- [sequences] [seed] [--lanes N]

Plays random sequences (10,000 by default) of buyers, a seller, payment providers and killed processes: paid,
declined, left, late, twice, another amount or word, lost and broken answers, forged and repeated notices,
refunds, money that a provider took back. Then it compares the books of the simulated providers with the
service: all money that was taken is booked once, held, owed or given back once, and nothing is paid without
money. A failure prints the shortest sequence found and its seed.
`;

await runCommand(() =>
  runSequences({
    name: "payments",
    help: HELP,
    arbitrary: arbitraryPayments,
    open: async (service) => {
      const simulators = await startPaymentSimulators();
      return {
        play: (one) => playPayments(service, simulators, one),
        close: simulators.close,
      };
    },
  }),
);
