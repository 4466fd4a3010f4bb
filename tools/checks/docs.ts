import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandFailure, runCommand } from "#scripts/process/command.ts";
import { commandsOf } from "../commands.ts";
import { snippetModules } from "../snippets.ts";
import { checkLicences } from "./licences.ts";
import { ROOT } from "#scripts/process/settings.ts";

/** The number of requirements in each section of ASVS 5.0.0, levels 1 and 2. */
const ASVS =
  "1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 " +
  "4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 " +
  "7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 " +
  "10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 " +
  "14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2";

const REQUIREMENTS = ASVS.split(" ").flatMap((entry) => {
  const [section, count] = entry.split(":");
  return Array.from({ length: Number(count) }, (_, at) => `${section}.${at + 1}`);
});

/** The trials that docs/reliability.md lists, by kind and count. */
const TRIALS = "L:10 F:11 C:5 S:12".split(" ").flatMap((entry) => {
  const [kind, count] = entry.split(":");
  return Array.from({ length: Number(count) }, (_, at) => `${kind}${at + 1}`);
});

const TEST_FILE = /`([^`\s]+\.(?:test|spec)\.ts)`((?:,? “[^”]+”)*)/g;
const COMMAND = /`npm run ([a-z][\w:-]*)(?: ([a-z][\w-]*))?/g;
/** Folders of the commands `npm run bench <name>`, `trial` and `check`. */
const FOLDERS: Record<string, string> = { bench: "bench", trial: "trials", check: "checks" };
const FILE =
  /`((?:app|components|contract|deploy|docs|lib|scripts|service|tools)\/[\w./-]+\.\w+)`/g;
const LINK = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;

/**
 * Tests that a document names and that do not exist, by file or by title, and files of which it names
 * no test.
 */
export function missingTests(
  markdown: string,
  read: (file: string) => string | null,
): string[] {
  return Array.from(markdown.matchAll(TEST_FILE)).flatMap(([, file = "", titles = ""]) => {
    const text = read(file);
    if (text === null) return [`there is no ${file}`];
    const named = Array.from(titles.matchAll(/“([^”]+)”/g), ([, title = ""]) => title);
    if (named.length === 0) return [`no test of ${file} is named`];
    return named
      .filter((title) => !text.includes(title))
      .map((title) => `${file}: no “${title}”`);
  });
}

/**
 * Errors in the table of requirements: missing, repeated and unknown rows, kept requirements without a
 * test, and a wrong summary.
 */
export function wrongRequirementRows(table: string): string[] {
  const rows = table.split("\n").flatMap((line) => {
    const [, id = "", , , is = "", , test = ""] = line.split("|").map((cell) => cell.trim());
    return /^\d+\.\d+\.\d+$/.test(id) ? [{ id, is, test }] : [];
  });
  const ids = rows.map(({ id }) => id);
  const count = (is: string) => rows.filter((row) => row.is === is).length;
  const summary = `Of ${rows.length} requirements ${count("kept")} are kept, ${count("read")} read, ${count("partly")} partly kept, ${count("not kept")} not kept, ${count("operator")} the operator's, and ${count("–")} do not apply.`;
  return [
    ...REQUIREMENTS.filter((id) => !ids.includes(id)).map((id) => `${id} is missing`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is listed twice`),
    ...ids.filter((id) => !REQUIREMENTS.includes(id)).map((id) => `${id} is no requirement`),
    ...rows
      .filter(({ is, test }) => is === "kept" && test === "")
      .map(({ id }) => `${id} has no test`),
    ...(table.includes(summary) ? [] : [`its numbers are not: ${summary}`]),
  ];
}

/** Trials that a document omits. */
export const missingTrials = (text: string): string[] =>
  TRIALS.filter((id) => !text.includes(`\n| ${id} | `)).map((id) => `${id} is missing`);

/** Commands that a document names and that neither package.json nor tools/ has. */
export function missingCommands(text: string, scripts: Record<string, string>): string[] {
  return Array.from(text.matchAll(COMMAND)).flatMap(([, name = "", tool]) => {
    if (!(name in scripts)) return [`there is no command ${name}`];
    const folder = FOLDERS[name];
    return tool && folder && !commandsOf(folder).includes(tool)
      ? [`there is no command ${name} ${tool}`]
      : [];
  });
}

const readIfThere = (file: string) => {
  const path = join(ROOT, file);
  return existsSync(path) ? readFileSync(path, "utf8") : null;
};

/**
 * Documents in which every named test must exist; links and commands are checked in all documents.
 */
const VERIFIED_DOCS = ["docs/asvs.md", "docs/threat-model.md", "docs/reliability.md"];
const DOCUMENTS = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "CHANGELOG.md",
  "clients/typescript/README.md",
  "docs/benchmarks.md",
  "docs/commands.md",
  "docs/configuration.md",
  "docs/deploy.md",
  "docs/glossary.md",
  "docs/integrate.md",
  "docs/runbook.md",
  "docs/scale.md",
  "docs/spec-choices.md",
  "docs/upgrade.md",
];

const DECISIONS = "docs/decisions";
const INDEX = `${DECISIONS}/README.md`;

/** The list of the decision records for docs/decisions, by number. */
function indexOfDecisions(): string {
  const lines = readdirSync(join(ROOT, DECISIONS))
    .filter((name) => /^\d{4}-/.test(name))
    .sort()
    .map((name) => {
      const [heading = ""] = readFileSync(join(ROOT, DECISIONS, name), "utf8").split("\n", 1);
      return `- [${heading.replace("# ", "")}](${name})`;
    });
  return `# Decisions\n\nWritten by \`npm run check docs -- --write\`.\n\n${lines.join("\n")}\n`;
}

/** The files that this command writes, by path: the decisions, and the examples. */
const writtenFiles = async (): Promise<[string, string][]> => [
  [INDEX, indexOfDecisions()],
  ...(await snippetModules()),
];

function deadLinks(name: string, text: string): string[] {
  return Array.from(text.matchAll(LINK), ([, to = ""]) => to)
    .filter((to) => !existsSync(join(ROOT, dirname(name), to)))
    .map((to) => `nothing is at ${to}`);
}

/** Files named in backticks that do not exist, in decision records and the table of choices. */
function missingFiles(text: string): string[] {
  return Array.from(text.matchAll(FILE), ([, file = ""]) => file)
    .filter((file) => !existsSync(join(ROOT, file)))
    .map((file) => `there is no ${file}`);
}

/**
 * Checks that tests, files, commands and documents named in the documents exist, and that the licences
 * and the written files are up to date.
 */
async function checkDocuments(): Promise<void> {
  checkLicences();
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  const records = readdirSync(join(ROOT, DECISIONS)).map((name) => `${DECISIONS}/${name}`);
  const problems = [...VERIFIED_DOCS, ...DOCUMENTS, ...records].flatMap((name) => {
    const text = readIfThere(name);
    if (text === null) return [`${name} is missing`];
    return [
      ...deadLinks(name, text),
      ...(VERIFIED_DOCS.includes(name) ? missingTests(text, readIfThere) : []),
      ...missingCommands(text, scripts),
      ...(records.includes(name) || name === "docs/spec-choices.md" ? missingFiles(text) : []),
      ...(name === "docs/asvs.md" ? wrongRequirementRows(text) : []),
      ...(name === "docs/reliability.md" ? missingTrials(text) : []),
    ].map((problem) => `${name}: ${problem}`);
  });
  for (const [file, text] of await writtenFiles())
    if (readIfThere(file) !== text)
      problems.push(`${file} is old: npm run check docs -- --write`);
  if (problems.length > 0)
    throw new CommandFailure(
      `the documents are wrong in ${problems.length} places:\n  ${problems.join("\n  ")}`,
    );
}

if (import.meta.main)
  await runCommand(async () => {
    if (process.argv.includes("--write"))
      for (const [file, text] of await writtenFiles()) {
        mkdirSync(dirname(join(ROOT, file)), { recursive: true });
        writeFileSync(join(ROOT, file), text);
      }
    await checkDocuments();
  });
