import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";

const HELP = `npm run check sample -- kind [--count N] [--seed N]
Draws texts at random, to be read by somebody who did not write them.
Kinds: comments, messages, tests, errors, names, docs.`;

const CODE = "{app,components,lib,contract,service,scripts,tools,e2e}/**/*.{ts,tsx,mjs}";
const TEST = /\.(test|spec)\.tsx?$/;

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");
const filesOf = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: (name) => name === "node_modules" });

const matchesOf = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ([all, first]) => (first ?? all).replace(/\s+/g, " "));

const COMMENT = /^[ \t]*\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+/gm;
const TITLE = /^( *)(it|test|describe)\b[^"'`\n]*\(\s*(?:"([^"]+)"|'([^']+)'|`([^`]+)`)/gm;
const ERROR =
  /\bnew (?:CommandFailure|Error|\w*(?:Refusal|Error))\(\s*(?:\w+,\s*)?(?:"([^"]+)"|`([^`]+)`)/g;
const NAME = /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm;

function textsOf(value: unknown, path = ""): string[] {
  if (typeof value === "string") return [`${path}: ${value}`];
  return Object.entries(value ?? {}).flatMap(([key, inner]) =>
    textsOf(inner, path ? `${path}.${key}` : key),
  );
}

/** The titles of a file's tests, each behind those of its describe blocks, as a run prints them. */
function titlesOf(text: string): string[] {
  const blocks: { indent: number; title: string }[] = [];
  const titles: string[] = [];
  for (const [, spaces = "", kind, ...forms] of text.matchAll(TITLE)) {
    while ((blocks.at(-1)?.indent ?? -1) >= spaces.length) blocks.pop();
    const title = forms.find((form) => form !== undefined) ?? "";
    if (kind === "describe") blocks.push({ indent: spaces.length, title });
    else titles.push([...blocks.map((block) => block.title), title].join(" > "));
  }
  return titles;
}

const KINDS: Record<string, () => string[]> = {
  comments: () =>
    filesOf(CODE).flatMap((file) =>
      matchesOf(read(file), COMMENT).map((text) => `${file}: ${text}`),
    ),
  messages: () =>
    filesOf("lib/i18n/messages/en/*.json").flatMap((file) =>
      textsOf(JSON.parse(read(file)), basename(file, ".json")),
    ),
  tests: () =>
    filesOf(CODE)
      .filter((file) => TEST.test(file))
      .flatMap((file) => titlesOf(read(file)).map((title) => `${file}: ${title}`)),
  errors: () =>
    filesOf(CODE)
      .filter((file) => !TEST.test(file))
      .flatMap((file) => matchesOf(read(file), ERROR).map((text) => `${file}: ${text}`)),
  names: () =>
    filesOf(CODE)
      .filter((file) => !TEST.test(file))
      .flatMap((file) => matchesOf(read(file), NAME).map((name) => `${file}: ${name}`)),
  docs: () =>
    filesOf("{*.md,docs/**/*.md}").flatMap((file) =>
      read(file)
        .replace(/^(\||```|#).*$/gm, "")
        .split(/\n\n|(?<=[.:])\s/)
        .map((sentence) => sentence.replace(/\s+/g, " ").trim())
        .filter((sentence) => sentence.length > 20)
        .map((sentence) => `${file}: ${sentence}`),
    ),
};

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

await runCommand(async () => {
  const { values, positionals } = readOptions({
    allowPositionals: true,
    options: {
      count: { type: "string", default: "100" },
      seed: { type: "string", default: "1" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const texts = KINDS[positionals[0] ?? ""]?.();
  if (!texts) throw new CommandFailure(`name a kind: ${Object.keys(KINDS).join(", ")}.`);
  const random = randomFrom(Number(values.seed));
  for (let left = Math.min(Number(values.count), texts.length); left > 0; left -= 1)
    console.log(texts.splice(Math.floor(random() * texts.length), 1)[0]);
});
