import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { errorCode } from "#contract/process/log.ts";
import { CommandFailure, systemReasonOf } from "../process/command.ts";
import { failure, type Finding } from "./finding.ts";

/** The files of a machine's settings that the doctor reads. */
const FILES = [
  "machine.env",
  "service.env",
  "service.secrets.env",
  "dashboard.env",
  "dashboard.secrets.env",
];

/**
 * Sets the variables that systemd gives to the programs of a machine.
 * @returns a failure for each file of secrets that others can read
 */
export function loadMachineSettings(folder: string): Finding[] {
  const texts = FILES.flatMap((name) => readIfThere(join(folder, name)));
  if (texts.length === 0)
    throw new CommandFailure(
      `${folder} has no settings; the doctor looks for ${FILES.join(", ")}.`,
    );
  // Only `npm run up` makes the demonstration.
  process.env["DEMONSTRATION"] = "off";
  for (const text of texts) Object.assign(process.env, parseEnv(text));
  return readdirSync(folder)
    .filter((name) => name.endsWith(".secrets.env"))
    .map((name) => join(folder, name))
    .filter((file) => (statSync(file).mode & 0o077) !== 0)
    .map((file) =>
      failure(`${file} can be read by other users of this machine.`, `Run: chmod 600 ${file}`),
    );
}

function readIfThere(file: string): string[] {
  try {
    return [readFileSync(file, "utf8")];
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw new CommandFailure(
      `cannot read ${file}: ${systemReasonOf(error)}; run the doctor as root.`,
    );
  }
}
