import { parseArgs, type ParseArgsConfig } from "node:util";
import { errorCode } from "#contract/process/log.ts";

/** An expected error of a command: printed as one line, without a stack trace. */
export class CommandFailure extends Error {}

/** Runs a command; a CommandFailure or a wrong option is printed as one line and sets exit code 1. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof CommandFailure) && !isOfOptions(error)) throw error;
    console.error(`duebook: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Whether parseArgs rejected the options of a command. */
const isOfOptions = (error: unknown): error is Error =>
  errorCode(error).startsWith("ERR_PARSE_ARGS");

/** @throws CommandFailure unless the option is a whole number above 0 */
export function positiveOption(name: string, given: string | undefined): number {
  const value = Number(given);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new CommandFailure(`--${name} takes a whole number above 0.`);
}

/** The system's short reason ("permission denied"), for the text of a CommandFailure. */
export function systemReasonOf(error: unknown): string {
  const known: Record<string, string> = {
    EACCES: "permission denied",
    EPERM: "permission denied",
    EROFS: "the file system is read-only",
    ENOSPC: "the disk is full",
    ENOTDIR: "a part of the path is a file",
    ECONNREFUSED: "nothing answers there",
    ENOENT: "there is nothing at that path",
    ENOTFOUND: "the host name is unknown",
    "28P01": "the password is wrong",
    "28000": "the user is not allowed in",
    "3D000": "the database does not exist",
  };
  return known[errorCode(error)] ?? (error instanceof Error ? error.message : String(error));
}

/** Reads the options of the running command; a wrong one ends it with one line and exit code 1. */
export function readOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!isOfOptions(error)) throw error;
    const [first] = error.message.split(/(?<=\.) /);
    console.error(`duebook: ${first?.replace(/\.?$/, ".")} --help lists them.`);
    return process.exit(1);
  }
}
