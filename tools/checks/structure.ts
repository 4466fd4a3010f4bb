import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { CommandFailure, runCommand } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";

const NEXT_FILES =
  /^(page|layout|loading|error|global-error|not-found|route|template|default|icon|apple-icon|manifest|robots|globals)\.(tsx?|css|svg)$/;
const VAGUE_NAMES = /^(utils?|helpers?|types?|common|misc|index)\.tsx?$/;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.(db|test|spec|d|config))*\.(tsx?|mjs|css|svg)$/;

/** The problem of a file's name or place, or null. */
export function placeProblemOf(path: string, text: string): string | null {
  const name = basename(path);
  const [zone, noun, ...rest] = path.split("/");
  if (VAGUE_NAMES.test(name)) return "its name says nothing of what is in it";
  if (zone === "app")
    return NEXT_FILES.test(name) ? null : "app/ holds Next.js's reserved names only";
  if (!KEBAB_CASE.test(name)) return "file names are kebab-case";
  if (zone !== "lib" || noun === undefined || rest.length === 0) return null;
  if (name === "data.ts" && !text.startsWith('import "server-only";'))
    return 'data.ts begins with import "server-only"';
  if (name === "actions.ts" && !text.startsWith('"use server";'))
    return 'actions.ts begins with "use server"';
  return null;
}

async function checkStructure() {
  const files = globSync(
    "{app,components,lib,contract,service,scripts,clients,e2e,tools}/**/*.{ts,tsx,mjs,css,svg}",
    {
      cwd: ROOT,
      exclude: ["**/node_modules/**", "**/dist/**"],
    },
  );
  const problems = files.flatMap((path) => {
    const problem = placeProblemOf(
      path.replaceAll("\\", "/"),
      readFileSync(`${ROOT}/${path}`, "utf8"),
    );
    return problem ? [`  ${path}: ${problem}`] : [];
  });
  if (problems.length > 0)
    throw new CommandFailure(
      `${problems.length} files are not where they belong:\n${problems.join("\n")}`,
    );
}

if (import.meta.main) await runCommand(checkStructure);
