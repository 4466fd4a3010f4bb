import { readConfig } from "../config.ts";
import { openPool } from "../db/database.ts";
import { migrateService } from "../db/migrate.ts";
import {
  describeCommand,
  UsageError,
  readOptions,
  type AdminContext,
  type Command,
  type CommandResult,
} from "./command.ts";
import {
  issueAccountToken,
  issueSellerKey,
  listSellerKeys,
  revokeSellerKey,
  rotateKey,
} from "./keys.ts";
import { moveToPeriod, undoPeriodMove } from "./moves.ts";
import { partition } from "./partitions.ts";
import { addProduct, archiveBillingPeriod, changeProduct } from "./products.ts";
import { registerPurchase } from "./purchases.ts";
import { seed } from "./seed.ts";
import { createSeller, listSellers, setSeller, verifySeller } from "./sellers.ts";

interface CommandEnvironment extends Pick<AdminContext, "readInput" | "progress"> {
  environment: Record<string, string | undefined>;
  print: (line: string) => void;
  complain: (line: string) => void;
}

export const COMMANDS = [
  createSeller,
  verifySeller,
  setSeller,
  listSellers,
  issueSellerKey,
  issueAccountToken,
  listSellerKeys,
  revokeSellerKey,
  addProduct,
  changeProduct,
  archiveBillingPeriod,
  moveToPeriod,
  undoPeriodMove,
  registerPurchase,
  rotateKey,
  partition,
  seed,
];

const HELP = [
  "Usage: npm run -s service:admin -- <command> [options]",
  "",
  "Commands",
  ...COMMANDS.map(({ name, about }) => `  ${name.padEnd(20)}${about}`),
  "",
  "Options",
  "  --json              print JSON instead of text",
  "  --help              print this text, or after a command that command's",
].join("\n");

/** @returns the exit code: 0, 1 for a failure, 2 for wrong use */
export async function runCommandLine(
  words: string[],
  surroundings: CommandEnvironment,
): Promise<0 | 1 | 2> {
  const { print, complain } = surroundings;
  try {
    const asJson = words.includes("--json");
    const [name, ...given] = words.filter((word) => word !== "--json" && word !== "--help");
    const command = COMMANDS.find((one) => one.name === name);
    if (name === undefined) print(HELP);
    else if (!command)
      throw new UsageError(`there is no command '${name}'. --help lists them.`);
    else if (words.includes("--help")) print(describeCommand(command));
    else {
      const answer = await runOne(command, given, surroundings);
      print(asJson ? JSON.stringify(answer.json) : answer.text);
    }
    return 0;
  } catch (error) {
    complain(`service:admin: ${reasonOf(error)}`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function runOne(
  command: Command,
  given: string[],
  { environment, readInput, progress }: CommandEnvironment,
): Promise<CommandResult> {
  const options = readOptions(command, given);
  const config = readConfig(environment);
  await migrateService(config.directUrl);
  // A command may change settings of its connection (a long vacuum), which a pooler would pass
  // on to other clients.
  const pool = openPool(config.directUrl);
  try {
    const context = { pool, config, now: () => new Date(), readInput, progress };
    return await command.run(context, options);
  } finally {
    await pool.end();
  }
}

// A connection refused at several addresses of one name has no message of its own.
const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)) || "the database does not answer";
