import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { CommandFailure } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";

const DOCUMENT = join(ROOT, "docs/benchmarks.md");

/** Date and machine of the measurement, as a sentence. */
function machineLine(): string {
  const processors = cpus();
  const machine = `${processors.length} × ${processors[0]?.model.trim() ?? "unknown processor"}`;
  return `Measured on ${new Date().toISOString().slice(0, 10)}, ${machine}, Node.js ${process.version}.`;
}

/** Replaces the text between the marks of a section. @throws CommandFailure without marks */
export function replaceSection(document: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from)
    throw new CommandFailure(`the document has no part from ${begin} to ${end}.`);
  return `${document.slice(0, from + begin.length)}\n\n${text}\n\n${document.slice(to)}`;
}

/** Replaces a section of docs/benchmarks.md with new results, machine and date. */
export async function writeSection(name: string, text: string): Promise<void> {
  const before = await readFile(DOCUMENT, "utf8");
  await writeFile(DOCUMENT, replaceSection(before, name, `${machineLine()}\n\n${text}`));
}

/**
 * Checks that the document has the section, before a long measurement.
 * @throws CommandFailure if it has no marks for it
 */
export async function requireSection(name: string): Promise<void> {
  replaceSection(await readFile(DOCUMENT, "utf8"), name, "");
}

/** Converts the output of a bench to Markdown: tables stay, other lines become list items. */
export function asMarkdown(printed: string): string {
  const lines = printed.trim().split("\n");
  return lines
    .flatMap((line, at) => {
      const text = line.trim().replaceAll(/ {2,}(?!\|)/g, " ");
      const isTable = text.startsWith("|");
      const item = isTable || text === "" ? line.trim() : `- ${text}`;
      const before = lines[at - 1]?.trim() ?? "";
      const isBorder = before !== "" && before.startsWith("|") !== isTable;
      return isBorder && text !== "" ? ["", item] : [item];
    })
    .join("\n");
}
