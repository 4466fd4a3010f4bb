import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { CommandFailure, runCommand } from "#scripts/process/command.ts";
import { commandsOf, SERVER_CODE_LOADER_URL, TOOLS } from "./commands.ts";

async function run() {
  const [folder = "", ...rest] = process.argv.slice(2);
  const names = commandsOf(folder);
  const name = rest.shift() ?? "";
  if (!names.includes(name)) throw new CommandFailure(`name one of: ${names.join(", ")}.`);
  const { status } = spawnSync(
    process.execPath,
    ["--import", SERVER_CODE_LOADER_URL, join(TOOLS, folder, `${name}.ts`), ...rest],
    { stdio: "inherit" },
  );
  process.exitCode = status ?? 1;
}

await runCommand(run);
