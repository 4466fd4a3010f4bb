import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ROOT } from "#scripts/process/settings.ts";
import {
  type LazyPart,
  type Module,
  readModule,
  resolveImport,
  type Statement,
} from "./page-source.ts";

/** The keys that a file's code in the browser asks for, each with a file that asks. */
type Asked = Map<string, string>;

interface PageMessages {
  /** A page, layout, loading or error file of app/. */
  page: string;
  /** The keys that its client components use, without those of its lazy parts. */
  asked: Asked;
  /** The names in page-words.json under which it sends words. */
  sends: string[];
  /** Namespaces that a lazy part brings along although nothing in it asks for them. */
  idle: string[];
}

// Read as files, because Node.js imports JSON only with an attribute that the bundler does not need.
export const WORDS = Object.fromEntries(
  globSync("lib/i18n/messages/en/*.json", { cwd: ROOT })
    .sort()
    .map((path) => [
      basename(path, ".json"),
      JSON.parse(readFileSync(join(ROOT, path), "utf8")) as Words,
    ]),
);

export interface Words {
  [name: string]: string | Words;
}

const KEYS = new Set(keysOf(WORDS));

function keysOf(words: Words): string[] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === "object" ? keysOf(value).map((inner) => `${key}.${inner}`) : [key],
  );
}

interface Reached {
  sends: Set<string>;
  /** Statements of server components. */
  page: Map<Statement, Module>;
  /** Statements that run in the browser. */
  client: Map<Statement, Module>;
  /** Statements of actions, whose messages the browser translates. */
  actions: Map<Statement, Module>;
  modules: Set<Module>;
  lazy: Map<string, LazyPart>;
}

type Side = "page" | "client" | "actions";

/** Follows what a module's exports mention, as the bundler does. */
function follow(start: string, startSide: Side): Reached {
  const found: Reached = {
    sends: new Set(),
    page: new Map(),
    client: new Map(),
    actions: new Map(),
    modules: new Set(),
    lazy: new Map(),
  };
  const seen = new Set<string>();
  const enter = (path: string, name: string, side: Side) => {
    const id = `${path} ${name} ${side}`;
    if (seen.has(id)) return;
    seen.add(id);
    const file = readModule(path);
    const here: Side =
      side === "page" && file.kind === "client"
        ? "client"
        : side === "client" && file.kind === "server"
          ? "actions"
          : side;
    if (here !== side) return enter(path, name, here);
    if (side === "client") found.modules.add(file);
    for (const statement of file.statements.get("") ?? []) run(file, statement, side);
    for (const [local, { path: next, name: all }] of file.imports)
      if (local.startsWith("import ")) enter(next, all, side);
    if (name === "*") {
      for (const one of file.exports.keys()) enter(path, one, side);
      for (const next of file.passedOn) enter(next, "*", side);
      return undefined;
    }
    const exported = file.exports.get(name);
    if (!exported) for (const next of file.passedOn) enter(next, name, side);
    else if (exported.path) enter(exported.path, exported.name, side);
    else mention(file, exported.name, side);
    return undefined;
  };
  const mention = (file: Module, name: string, side: Side) => {
    const imported = file.imports.get(name);
    if (imported) return enter(imported.path, imported.name, side);
    for (const statement of file.statements.get(name) ?? []) run(file, statement, side);
    return undefined;
  };
  const run = (file: Module, statement: Statement, side: Side) => {
    if (found[side].has(statement)) return;
    found[side].set(statement, file);
    if (side === "page") for (const name of statement.sends) found.sends.add(name);
    for (const part of statement.lazy)
      if (side === "client") found.lazy.set(`${part.path} ${part.words.join(" ")}`, part);
      else enter(part.path, "*", side);
    for (const name of statement.mentions) mention(file, name, side);
  };
  enter(start, "*", startSide);
  return found;
}

function askedBy({ client, actions, modules: reached }: Reached): Asked {
  const asked: Asked = new Map();
  const ask = (key: string, { path }: Module) => {
    if (KEYS.has(key) && !asked.has(key)) asked.set(key, path);
  };
  const vocabulary = new Set<string>();
  for (const file of reached)
    for (const part of withTypes(file))
      for (const text of part.vocabulary) vocabulary.add(text);
  const all = new Set([...reached].flatMap(({ translators }) => [...translators]));
  for (const [statement, file] of client) {
    askFullKeys(statement, file, ask);
    const own = new Set(statement.translators);
    if (statement.isGivenTranslator || own.size === 0)
      for (const translator of all) own.add(translator);
    for (const translator of own) {
      if (translator === "") continue;
      if (statement.hasTranslator)
        for (const text of statement.texts) ask(`${translator}.${text}`, file);
      const within = keysUnder(translator);
      for (const pattern of statement.patterns)
        for (const key of within) if (pattern.test(key)) ask(`${translator}.${key}`, file);
      if (!statement.asksVariable) continue;
      const isGroup = translator.includes(".");
      for (const key of within)
        if (isGroup || vocabulary.has(key)) ask(`${translator}.${key}`, file);
    }
  }
  for (const [{ texts }, file] of actions) for (const text of texts) ask(text, file);
  return asked;
}

function askFullKeys(
  { texts, groups, patterns }: Statement,
  file: Module,
  ask: (key: string, file: Module) => void,
) {
  for (const text of texts) ask(text, file);
  for (const group of groups) for (const key of keysUnder(group)) ask(`${group}.${key}`, file);
  for (const pattern of patterns)
    if (/^\^[a-z]+\\\./.test(pattern.source))
      for (const key of KEYS) if (pattern.test(key)) ask(key, file);
}

const namespaceOf = (key: string) => key.slice(0, key.indexOf("."));

const under = new Map<string, string[]>();

function keysUnder(path: string): string[] {
  const known = under.get(path);
  if (known) return known;
  const keys = [...KEYS]
    .filter((key) => key.startsWith(`${path}.`))
    .map((key) => key.slice(path.length + 1));
  under.set(path, keys);
  return keys;
}

/** A module and the modules from which it imports anything, even only a type. */
function withTypes(file: Module): Module[] {
  const source = readFileSync(join(ROOT, file.path), "utf8");
  const named = [...source.matchAll(/^import [^;]*? from "([^"]+)"/gm)].flatMap(
    ([, name = ""]) => {
      const path = resolveImport(file.path, name);
      return path ? [readModule(path)] : [];
    },
  );
  return [file, ...named];
}

const parts = new Map<string, { asked: Asked; lazy: LazyPart[] }>();

function readPart(path: string) {
  const known = parts.get(path);
  if (known) return known;
  const found = follow(path, "client");
  const read = { asked: askedBy(found), lazy: [...found.lazy.values()] };
  parts.set(path, read);
  return read;
}

/** Adds the keys that lazy parts use beyond the namespaces that are loaded with them. */
function addParts(
  asked: Asked,
  idle: Set<string>,
  lazy: LazyPart[],
  around: string[],
  seen: Set<string>,
) {
  for (const { path, words } of lazy) {
    // The part brings the texts of a whole page, which shows the same component.
    if (words.some((word) => word.includes("/"))) continue;
    const brought = [...around, ...words];
    const id = `${path} ${brought.join(" ")}`;
    if (seen.has(id)) continue;
    seen.add(id);
    const part = readPart(path);
    const needed = new Set<string>();
    for (const [key, file] of part.asked) {
      const namespace = namespaceOf(key);
      needed.add(namespace);
      if (!brought.includes(namespace) && !asked.has(key)) asked.set(key, file);
    }
    for (const word of words) if (!needed.has(word)) idle.add(`${path}: ${word}`);
    addParts(asked, idle, part.lazy, brought, seen);
  }
}

/** The messages of every page, layout, loading and error file of app/. */
export function messagesOfPages(): PageMessages[] {
  const ofApi = globSync("app/api/**/route.ts", { cwd: ROOT })
    .sort()
    .flatMap((route) => [...askedBy(follow(route, "actions"))]);
  return globSync("app/**/{page,layout,loading,error,global-error,not-found}.tsx", {
    cwd: ROOT,
  })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((page) => {
      const found = follow(page, "page");
      const asked = askedBy(found);
      const namespaces = new Set([...asked.keys()].map(namespaceOf));
      for (const [key, file] of ofApi)
        if (namespaces.has(namespaceOf(key)) && !asked.has(key)) asked.set(key, file);
      const idle = new Set<string>();
      addParts(asked, idle, [...found.lazy.values()], [], new Set());
      return { page, asked, sends: [...found.sends], idle: [...idle] };
    });
}

/** For each name in page-words.json, the keys that it has to send and a file that asks for each. */
export function wordsToSend(pages: PageMessages[]): Map<string, Asked> {
  const layouts = pages.filter(({ page }) => page.endsWith("/layout.tsx"));
  const above = ({ page }: PageMessages) =>
    layouts
      .filter((layout) => layout.page !== page && page.startsWith(`${dirname(layout.page)}/`))
      .sort((one, other) => other.page.length - one.page.length)
      .flatMap(({ sends }) => sends);
  const sent = new Map<string, Asked>();
  const chains = new Map<string, string[]>();
  for (const page of pages) {
    const [own, ...others] = [...page.sends, ...above(page)];
    if (own === undefined) {
      if (page.asked.size > 0) throw new Error(`${page.page}: no layout sends its texts`);
      continue;
    }
    chains.set(own, others);
    const words = sent.get(own) ?? new Map<string, string>();
    for (const [key, file] of page.asked) if (!words.has(key)) words.set(key, file);
    sent.set(own, words);
  }
  const whole = new Map([...sent].map(([name, words]) => [name, new Set(words.keys())]));
  for (const [name, words] of sent)
    for (const other of chains.get(name) ?? [])
      for (const key of whole.get(other) ?? []) words.delete(key);
  return sent;
}

/** Keys in short: a group instead of all its keys. */
export function shorten(keys: Iterable<string>): string[] {
  const asked = new Set(keys);
  const groupsOf = (words: Words, path: string): string[] =>
    Object.entries(words).flatMap(([name, value]) => {
      const own = path ? `${path}.${name}` : name;
      if (typeof value === "string") return asked.has(own) ? [own] : [];
      return keysOf(value).every((key) => asked.has(`${own}.${key}`))
        ? [own]
        : groupsOf(value, own);
    });
  return groupsOf(WORDS, "");
}
