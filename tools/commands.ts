import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

export const TOOLS = import.meta.dirname;

/** The module for `node --import` with which a tool can load the dashboard's server code. */
export const SERVER_CODE_LOADER_URL = new URL("outside-next.ts", import.meta.url).href;

/** The commands of a folder of tools/: `npm run bench`, `npm run trial`, `npm run check`. */
export function commandsOf(folder: string): string[] {
  return globSync("*.ts", { cwd: join(TOOLS, folder) })
    .filter((file) => readFileSync(join(TOOLS, folder, file), "utf8").includes("runCommand("))
    .map((file) => basename(file, ".ts"))
    .sort();
}
