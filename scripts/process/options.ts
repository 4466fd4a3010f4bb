import { parseArgs, type ParseArgsConfig } from "node:util";
import { isOfOptions } from "./failure.ts";

/** Reads the options of the running command; a wrong one ends it with one line and exit code 1. */
export function readOptions<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    if (!isOfOptions(error)) throw error;
    const [first] = error.message.split(/(?<=\.) /);
    console.error(`duebook: ${first?.replace(/\.?$/, ".")} --help tells which there are.`);
    return process.exit(1);
  }
}
