import { playReminders } from "../../service/testing/reminders/play.ts";
import { arbitraryReminders } from "../../service/testing/reminders/sequence.ts";
import { runCommand } from "#scripts/process/command.ts";
import { runSequences } from "./random-sequences.ts";

const HELP = `Usage: npm run trial reminders -- [sequences] [seed]

Plays random sequences (10,000 by default) of payments, promises, opt-outs, moved clocks, pauses and killed
workers around month ends, and compares what arrives at a gateway with what is due by hand: nothing twice,
late, in quiet hours, to who has paid or opted out, and nothing forgotten. A failure prints the shortest
sequence found and its seed.
`;

await runCommand(() =>
  runSequences({
    name: "reminders",
    help: HELP,
    arbitrary: arbitraryReminders,
    open: async (service) => ({ play: (one) => playReminders(service, one) }),
  }),
);
