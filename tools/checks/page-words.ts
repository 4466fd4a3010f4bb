import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { messagesOfPages, shorten, wordsToSend } from "../testing/page-messages.ts";

const HELP = `npm run check page-words -- [--set]
Compares lib/i18n/page-words.json, the words that each page sends to the browser, with those that its
client components use. --set writes the file anew.`;

const PRETTIER = { parser: "json", printWidth: 96 };
const FILE = join(ROOT, "lib/i18n/page-words.json");

/** A sentence for each word that a page lacks, and for what is listed or fetched without use. */
export function wrongWords(sent: Record<string, string[]>): string[] {
  const pages = messagesOfPages();
  const wanted = wordsToSend(pages);
  const wrong = [...wanted].flatMap(([name, asked]) => {
    const listed = new Set(sent[name]);
    const short = shorten(asked.keys());
    const missing = short.filter((path) => !listed.delete(path));
    return [
      ...missing.map((path) => {
        const [, file] = [...asked].find(([key]) => `${key}.`.startsWith(`${path}.`)) ?? [];
        return `'${name}' sends no '${path}', which ${file ?? "nothing"} asks for.`;
      }),
      ...[...listed].map((path) => `'${name}' sends '${path}', which no part of it uses.`),
    ];
  });
  const gone = Object.keys(sent).filter((name) => !wanted.has(name));
  const idle = new Set(pages.flatMap((page) => page.idle));
  return [
    ...wrong,
    ...gone.map((name) => `No page sends '${name}'.`),
    ...[...idle].map((part) => `lazyPart fetches words that nothing in it uses: ${part}.`),
  ];
}

if (import.meta.main)
  await runCommand(async () => {
    const { values } = readOptions({
      options: {
        set: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return console.log(HELP);
    if (values.set) {
      const words = [...wordsToSend(messagesOfPages())]
        .map(([name, asked]) => [name, shorten(asked.keys())] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1));
      writeFileSync(FILE, await format(JSON.stringify(Object.fromEntries(words)), PRETTIER));
    }
    const wrong = wrongWords(
      JSON.parse(readFileSync(FILE, "utf8")) as Record<string, string[]>,
    );
    if (wrong.length > 0)
      throw new CommandFailure(
        [
          "pages send the wrong words ('npm run check page-words -- --set' mends it):",
          ...wrong,
        ].join("\n  "),
      );
  });
