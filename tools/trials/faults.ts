import { CLIENT_FAULTS } from "./faults/clients.ts";
import { DATABASE_FAULTS } from "./faults/database.ts";
import { KILL_FAULTS } from "./faults/kills.ts";
import { OUTSIDE_FAULTS } from "./faults/clock-and-tls.ts";
import { POWER_FAULTS } from "./faults/power.ts";
import { PROGRAM_FAULTS } from "./faults/programs.ts";
import {
  CommandFailure,
  positiveOption,
  readOptions,
  runCommand,
} from "#scripts/process/command.ts";

const HELP = `npm run trial faults -- [--only text] [--rounds N]
Breaks each thing that Duebook depends on, with its own processes and databases; prints what users saw,
what was kept and how soon everything worked again, and fails if a result is wrong. --rounds sets how
often the power is cut (20) and programs are killed (12). Names what this machine lacks for a fault.
Needs a build.`;

const FAULTS = [
  ...PROGRAM_FAULTS,
  ...KILL_FAULTS,
  ...DATABASE_FAULTS,
  ...POWER_FAULTS,
  ...OUTSIDE_FAULTS,
  ...CLIENT_FAULTS,
];

const { values } = readOptions({
  options: {
    only: { type: "string", default: "" },
    rounds: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  // Without this option each fault has its own number of rounds.
  const rounds =
    values.rounds === undefined ? undefined : positiveOption("rounds", values.rounds);
  const failed: string[] = [];
  const chosen = FAULTS.filter(({ name }) => name.includes(values.only));
  if (chosen.length === 0)
    throw new CommandFailure(
      `no fault is called “${values.only}”: ${FAULTS.map(({ name }) => name).join("; ")}.`,
    );
  for (const { name, lacks, run } of chosen) {
    const lack = lacks?.() ?? null;
    if (lack !== null) {
      console.log(`\n${name}: not tried, ${lack}`);
      continue;
    }
    try {
      const { got, kept, recovered } = await run(rounds);
      console.log(
        `\n${name}\n  got        ${got}\n  kept       ${kept}\n  recovered  ${recovered}`,
      );
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      failed.push(name);
      console.log(`\n${name}: FAILED, ${error.message}`);
    }
  }
  if (failed.length > 0) throw new CommandFailure(`these faults failed: ${failed.join("; ")}.`);
});
