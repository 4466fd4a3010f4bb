import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, posix } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { ROOT } from "#scripts/process/settings.ts";

/** The keys that a file's code in the browser asks for, each with a file that asks. */
type Asked = Map<string, string>;

/** A part that is loaded when it is first shown. */
interface LazyPart {
  /** The module that is loaded. */
  path: string;
  /** The namespaces that `lazyPart` fetches with it. */
  words: string[];
}

interface PageMessages {
  /** A page, layout, loading or error file of app/. */
  page: string;
  /** What its client components ask for, without what its lazy parts bring along. */
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

/** A node of the syntax tree. */
interface Node {
  type: string;
  [field: string]: unknown;
}

/** A top-level statement of a module. */
interface Statement {
  /** Own names of the module and of its imports that it mentions. */
  mentions: Set<string>;
  lazy: LazyPart[];
  sends: string[];
  /** Paths of the translators that it uses; "" translates full keys. */
  translators: Set<string>;
  /** Texts, and template texts as a pattern: what a translator may be asked for. */
  texts: Set<string>;
  patterns: RegExp[];
  /** Texts of attributes, as a component may get the path of its translator. */
  groups: string[];
  /** Whether a translator is asked for the value of a variable. */
  asksVariable: boolean;
  /** Whether a translator is at hand; the texts of other statements are no keys. */
  hasTranslator: boolean;
}

interface Module {
  path: string;
  kind: "client" | "server" | "shared";
  imports: Map<string, { path: string; name: string }>;
  /** Statements by the names that they declare; "" for those that declare none. */
  statements: Map<string, Statement[]>;
  /** Exported names by their own names, or the module that they come from. */
  exports: Map<string, { name: string; path?: string }>;
  passedOn: string[];
  translators: Set<string>;
  /** Every text and name of the file, which a variable may hold. */
  vocabulary: Set<string>;
}

const modules = new Map<string, Module>();

function readModule(path: string): Module {
  const known = modules.get(path);
  if (known) return known;
  const source = readFileSync(join(ROOT, path), "utf8");
  const module: Module = {
    path,
    kind: source.startsWith('"use client"')
      ? "client"
      : /^(?:"use server"|import "server-only")/.test(source)
        ? "server"
        : "shared",
    imports: new Map(),
    statements: new Map(),
    exports: new Map(),
    passedOn: [],
    translators: new Set(),
    vocabulary: new Set(
      [...source.matchAll(/"([\w.]+)"|\b(\w+)\??:/g)].map(
        ([, text, name]) => text ?? name ?? "",
      ),
    ),
  };
  modules.set(path, module);
  for (const [, name = ""] of source.matchAll(TRANSLATOR)) module.translators.add(name);
  if (/\bTranslateAll\b/.test(source)) module.translators.add("");
  const { body } = parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }) as unknown as {
    body: Node[];
  };
  for (const node of body) readStatement(module, node, source);
  return module;
}

/** A translator of the browser: its hook, or its type as a parameter. */
const TRANSLATOR = /\b(?:useTranslations\((?:"([\w.]+)")?|Translate<\s*"([\w.]+)")/g;

const SENDER = /(?:<ClientMessages of=|\bmessagesLayout\()"([\w/]+)"/g;

/** The names that translators have in a statement. */
const BOUND = /(\w+) = useTranslations\(|(\w+)\??: Translate(?:All\b|<)/g;

function readStatement(module: Module, node: Node, source: string) {
  const from = (node["source"] as { value: string } | null | undefined)?.value;
  const path = from === undefined ? null : resolve(module.path, from);
  const isType = node["importKind"] === "type" || node["exportKind"] === "type";
  if (node.type === "ImportDeclaration") {
    if (isType || !path) return;
    for (const one of node["specifiers"] as Node[]) {
      if (one["importKind"] === "type") continue;
      const imported = one["imported"] as { name: string } | undefined;
      const name = imported?.name ?? (one.type === "ImportDefaultSpecifier" ? "default" : "*");
      module.imports.set((one["local"] as { name: string }).name, { path, name });
    }
    if ((node["specifiers"] as Node[]).length === 0)
      module.imports.set(`import ${path}`, { path, name: "*" });
    return;
  }
  if (isType) return;
  if (node.type === "ExportAllDeclaration") {
    if (path) module.passedOn.push(path);
    return;
  }
  if (node.type === "ExportNamedDeclaration" && !node["declaration"]) {
    for (const one of node["specifiers"] as Node[]) {
      const [own, given] = [one["local"], one["exported"]] as { name: string }[];
      if (own && given)
        module.exports.set(given.name, { name: own.name, ...(path && { path }) });
    }
    return;
  }
  const isExport = node.type.startsWith("Export");
  const declared = (isExport ? node["declaration"] : node) as Node;
  const parts =
    declared.type === "VariableDeclaration" ? (declared["declarations"] as Node[]) : [declared];
  for (const part of parts) {
    const names = declaredNames(part["id"] as Node | undefined);
    if (node.type === "ExportDefaultDeclaration") {
      module.exports.set("default", { name: names[0] ?? "default" });
      if (names.length === 0) names.push("default");
    } else if (isExport) for (const name of names) module.exports.set(name, { name });
    if (declared.type.startsWith("TS")) continue;
    const statement = readCode(module, part, source);
    for (const name of names.length > 0 ? names : [""])
      module.statements.set(name, [...(module.statements.get(name) ?? []), statement]);
  }
}

function declaredNames(id: Node | null | undefined): string[] {
  if (!id) return [];
  if (id.type === "Identifier") return [id["name"] as string];
  return childrenOf(id).flatMap(declaredNames);
}

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((value): value is Node => typeof (value as Node | null)?.type === "string");

/** Types are no code, but these wrap some. */
const WRAPPERS = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

function readCode(module: Module, code: Node, source: string): Statement {
  const text = source.slice(code["start"] as number, code["end"] as number);
  const statement: Statement = {
    mentions: new Set(),
    lazy: [],
    sends: [...text.matchAll(SENDER)].map(([, name = ""]) => name),
    translators: new Set(
      [...text.matchAll(TRANSLATOR)].map(([, ofHook, ofType]) => ofHook ?? ofType ?? ""),
    ),
    texts: new Set(),
    patterns: [],
    groups: [],
    asksVariable: false,
    hasTranslator: false,
  };
  if (/\bTranslateAll\b/.test(text)) statement.translators.add("");
  const bound = new Set(
    [...text.matchAll(BOUND)].map(([, ofHook, ofType]) => ofHook ?? ofType ?? ""),
  );
  const visit = (node: Node) => {
    if (node.type.startsWith("TS")) {
      if (WRAPPERS.has(node.type)) visit(node["expression"] as Node);
      return;
    }
    switch (node.type) {
      case "Identifier":
      case "JSXIdentifier":
        statement.mentions.add(node["name"] as string);
        return;
      case "Literal":
        if (typeof node["value"] === "string") statement.texts.add(node["value"]);
        return;
      case "JSXAttribute": {
        const given = node["value"] as Node | null;
        if (given?.type === "Literal" && String(given["value"]).includes("."))
          statement.groups.push(String(given["value"]));
        break;
      }
      case "TemplateLiteral": {
        const pattern = patternOf(node);
        if (/\w\\\.|\\\.\w/.test(pattern.source)) statement.patterns.push(pattern);
        break;
      }
      case "CallExpression": {
        const part = lazyPartOf(module, node);
        if (part) {
          statement.lazy.push(part);
          return;
        }
        const [first] = node["arguments"] as Node[];
        if (!first || !isTranslator(node["callee"] as Node, bound)) break;
        if (first.type === "TemplateLiteral") statement.patterns.push(patternOf(first));
        else if (!isPlain(first)) statement.asksVariable = true;
        break;
      }
      case "ImportExpression": {
        const path = resolve(module.path, (node["source"] as { value?: string }).value ?? "");
        if (path) statement.lazy.push({ path, words: [] });
        return;
      }
      default:
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(code);
  statement.hasTranslator =
    bound.size > 0 || [...statement.mentions].some((name) => USUAL_NAME.test(name));
  return statement;
}

/** `lazyPart(() => import("./file.tsx"), "namespace")`, also with the name of the loading function. */
function lazyPartOf(module: Module, call: Node): LazyPart | null {
  const callee = call["callee"] as Node;
  if (callee.type !== "Identifier" || callee["name"] !== "lazyPart") return null;
  const [load, ...names] = call["arguments"] as Node[];
  const found = load && firstImport(load);
  const path = found ? resolve(module.path, found) : null;
  if (!path) throw new Error(`${module.path}: lazyPart needs an import() of a module`);
  return { path, words: names.map((name) => String(name["value"])) };
}

function firstImport(node: Node): string | null {
  if (node.type === "ImportExpression") return (node["source"] as { value: string }).value;
  for (const child of childrenOf(node)) {
    const found = firstImport(child);
    if (found) return found;
  }
  return null;
}

const USUAL_NAME = /^t(?:[A-Z]\w*)?$/;

/** `t(…)`, `reader.t(…)`, `t.rich(…)`, `useTranslations("…")(…)`, and the names that a statement gives. */
function isTranslator(callee: Node, bound: Set<string>): boolean {
  if (callee.type === "Identifier")
    return USUAL_NAME.test(nameOf(callee)) || bound.has(nameOf(callee));
  if (callee.type === "CallExpression") return nameOf(callee["callee"]) === "useTranslations";
  if (callee.type !== "MemberExpression") return false;
  const [object, property] = [callee["object"] as Node, callee["property"] as Node];
  return (
    isTranslator(property, bound) ||
    (isTranslator(object, bound) && /^(?:rich|markup|has|raw)$/.test(nameOf(property)))
  );
}

const nameOf = (node: unknown) => String((node as { name?: string }).name);

/** Whether every value that an expression can have is written in it. */
function isPlain(node: Node): boolean {
  if (node.type === "ConditionalExpression")
    return isPlain(node["consequent"] as Node) && isPlain(node["alternate"] as Node);
  return node.type === "Literal";
}

function patternOf(template: Node): RegExp {
  const parts = (template["quasis"] as { value: { cooked: string } }[]).map(({ value }) =>
    value.cooked.replaceAll(/[^\w ]/g, (sign) => `\\${sign}`),
  );
  return new RegExp(`^${parts.join("[\\w.]+")}$`);
}

function resolve(from: string, name: string): string | null {
  if (!/\.tsx?$/.test(name) || !/^[.#]/.test(name)) return null;
  return name.startsWith("#") ? name.slice(1) : posix.join(posix.dirname(from), name);
}

interface Walk {
  sends: Set<string>;
  /** Statements that run in the browser. */
  client: Map<Statement, Module>;
  /** Statements of actions, whose messages the browser translates. */
  actions: Map<Statement, Module>;
  modules: Set<Module>;
  lazy: Map<string, LazyPart>;
}

type Side = "page" | "client" | "actions";

/** Follows what a module's exports mention, as the bundler does. */
function walk(start: string, startSide: Side): Walk {
  const found: Walk = {
    sends: new Set(),
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
    const module = readModule(path);
    const here: Side =
      side === "page" && module.kind === "client"
        ? "client"
        : side === "client" && module.kind === "server"
          ? "actions"
          : side;
    if (here !== side) return enter(path, name, here);
    if (side === "client") found.modules.add(module);
    for (const statement of module.statements.get("") ?? []) run(module, statement, side);
    for (const [local, { path: next, name: all }] of module.imports)
      if (local.startsWith("import ")) enter(next, all, side);
    if (name === "*") {
      for (const one of module.exports.keys()) enter(path, one, side);
      for (const next of module.passedOn) enter(next, "*", side);
      return undefined;
    }
    const exported = module.exports.get(name);
    if (!exported) for (const next of module.passedOn) enter(next, name, side);
    else if (exported.path) enter(exported.path, exported.name, side);
    else mention(module, exported.name, side);
    return undefined;
  };
  const mention = (module: Module, name: string, side: Side) => {
    const imported = module.imports.get(name);
    if (imported) return enter(imported.path, imported.name, side);
    for (const statement of module.statements.get(name) ?? []) run(module, statement, side);
    return undefined;
  };
  const run = (module: Module, statement: Statement, side: Side) => {
    const ran = side === "client" ? found.client : side === "actions" ? found.actions : null;
    const id = `${module.path} ${side}`;
    if (ran?.has(statement)) return;
    if (!ran) {
      const runs = started.get(id) ?? new Set();
      if (runs.has(statement)) return;
      started.set(id, runs.add(statement));
    }
    ran?.set(statement, module);
    if (side === "page") for (const name of statement.sends) found.sends.add(name);
    for (const part of statement.lazy)
      if (side === "client") found.lazy.set(`${part.path} ${part.words.join(" ")}`, part);
      else enter(part.path, "*", side);
    for (const name of statement.mentions) mention(module, name, side);
  };
  const started = new Map<string, Set<Statement>>();
  enter(start, "*", startSide);
  return found;
}

function askedBy({ client, actions, modules: reached }: Walk): Asked {
  const asked: Asked = new Map();
  const ask = (key: string, { path }: Module) => {
    if (KEYS.has(key) && !asked.has(key)) asked.set(key, path);
  };
  const vocabulary = new Set<string>();
  for (const module of reached)
    for (const part of withTypes(module))
      for (const text of part.vocabulary) vocabulary.add(text);
  for (const [statement, module] of client) {
    askFullKeys(statement, module, ask);
    const own = statement.translators.size > 0 ? statement.translators : module.translators;
    for (const translator of own) {
      if (translator === "") continue;
      if (statement.hasTranslator)
        for (const text of statement.texts) ask(`${translator}.${text}`, module);
      const within = keysUnder(translator);
      for (const pattern of statement.patterns)
        for (const key of within) if (pattern.test(key)) ask(`${translator}.${key}`, module);
      if (!statement.asksVariable) continue;
      const isGroup = translator.includes(".");
      for (const key of within)
        if (isGroup || vocabulary.has(key)) ask(`${translator}.${key}`, module);
    }
  }
  for (const [{ texts }, module] of actions) for (const text of texts) ask(text, module);
  return asked;
}

function askFullKeys(
  { texts, groups, patterns }: Statement,
  module: Module,
  ask: (key: string, module: Module) => void,
) {
  for (const text of texts) ask(text, module);
  for (const group of groups)
    for (const key of keysUnder(group)) ask(`${group}.${key}`, module);
  for (const pattern of patterns)
    if (/^\^[a-z]+\\\./.test(pattern.source))
      for (const key of KEYS) if (pattern.test(key)) ask(key, module);
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

/** A module and those that it imports something of, if only a type. */
function withTypes(module: Module): Module[] {
  const source = readFileSync(join(ROOT, module.path), "utf8");
  const named = [...source.matchAll(/^import [^;]*? from "([^"]+)"/gm)].flatMap(
    ([, name = ""]) => {
      const path = resolve(module.path, name);
      return path ? [readModule(path)] : [];
    },
  );
  return [module, ...named];
}

const parts = new Map<string, { asked: Asked; lazy: LazyPart[] }>();

function readPart(path: string) {
  const known = parts.get(path);
  if (known) return known;
  const found = walk(path, "client");
  const read = { asked: askedBy(found), lazy: [...found.lazy.values()] };
  parts.set(path, read);
  return read;
}

/** Adds what lazy parts ask for beyond the namespaces that they or the parts around them bring along. */
function addParts(
  asked: Asked,
  idle: Set<string>,
  lazy: LazyPart[],
  around: string[],
  seen: Set<string>,
) {
  for (const { path, words } of lazy) {
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
    const inner = new Set<string>();
    for (const word of words) if (!needed.has(word)) inner.add(`${path}: ${word}`);
    for (const one of inner) idle.add(one);
    addParts(asked, idle, part.lazy, brought, seen);
  }
}

/** The messages of every page, layout, loading and error file of app/. */
export function messagesOfPages(): PageMessages[] {
  const ofApi = globSync("app/api/**/route.ts", { cwd: ROOT })
    .sort()
    .flatMap((route) => [...askedBy(walk(route, "actions"))]);
  return globSync("app/**/{page,layout,loading,error,global-error,not-found}.tsx", {
    cwd: ROOT,
  })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((page) => {
      const found = walk(page, "page");
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
      if (page.asked.size > 0) throw new Error(`${page.page}: nothing sends its words`);
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
