import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { ROOT } from "#scripts/process/settings.ts";

/** A part that is loaded when it is first shown. */
export interface LazyPart {
  /** The module that is loaded. */
  path: string;
  /** The namespaces that `lazyPart` fetches with it. */
  words: string[];
}

/** A node of the syntax tree. */
interface Node {
  type: string;
  [field: string]: unknown;
}

/** A top-level statement of a module. */
export interface Statement {
  /** The names of the module and of its imports that the statement mentions. */
  mentions: Set<string>;
  lazy: LazyPart[];
  sends: string[];
  /** Paths of the translators that it uses; "" translates full keys. */
  translators: Set<string>;
  /** Texts, and template texts as a pattern, that a translator may be called with. */
  texts: Set<string>;
  patterns: RegExp[];
  /** Texts of attributes, as a component may get the path of its translator. */
  groups: string[];
  /** Whether a translator is called with a variable. */
  asksVariable: boolean;
  /** Whether it calls a translator that another statement has made. */
  isGivenTranslator: boolean;
  /** Whether the statement has a translator; texts of statements without one are no keys. */
  hasTranslator: boolean;
}

export interface Module {
  path: string;
  kind: "client" | "server" | "shared";
  imports: Map<string, { path: string; name: string }>;
  /** Statements by the names that they declare; "" for those that declare none. */
  statements: Map<string, Statement[]>;
  /** For each exported name, the name in this module or in the module that it comes from. */
  exports: Map<string, { name: string; path?: string }>;
  passedOn: string[];
  translators: Set<string>;
  /** Every text and name of the file, which a variable may hold. */
  vocabulary: Set<string>;
}

const modules = new Map<string, Module>();

export function readModule(path: string): Module {
  const known = modules.get(path);
  if (known) return known;
  const source = readFileSync(join(ROOT, path), "utf8");
  const file: Module = {
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
      [...source.matchAll(/"([^"\s]+)"|\b(\w+)\??:/g)].map(
        ([, text, name]) => text ?? name ?? "",
      ),
    ),
  };
  modules.set(path, file);
  for (const [, name = ""] of source.matchAll(TRANSLATOR)) file.translators.add(name);
  if (/\bTranslateAll\b/.test(source)) file.translators.add("");
  const { body } = parseAst(source, { lang: path.endsWith("x") ? "tsx" : "ts" }) as unknown as {
    body: Node[];
  };
  for (const node of body) readStatement(file, node, source);
  return file;
}

/** A translator of the browser: its hook, or its type as a parameter. */
const TRANSLATOR = /\b(?:useTranslations\((?:"([\w.]+)")?|Translate<\s*"([\w.]+)")/g;

const SENDER = /(?:<ClientMessages of=|\bmessagesLayout\()"([\w/]+)"/g;

/** The names that translators have in a statement. */
const BOUND = /(\w+) = useTranslations\(|(\w+)\??: Translate(?:All\b|<)/g;

function readStatement(file: Module, node: Node, source: string) {
  const from = (node["source"] as { value: string } | null | undefined)?.value;
  const path = from === undefined ? null : resolveImport(file.path, from);
  const isType = node["importKind"] === "type" || node["exportKind"] === "type";
  if (node.type === "ImportDeclaration") {
    if (isType || !path) return;
    for (const one of node["specifiers"] as Node[]) {
      if (one["importKind"] === "type") continue;
      const imported = one["imported"] as { name: string } | undefined;
      const name = imported?.name ?? (one.type === "ImportDefaultSpecifier" ? "default" : "*");
      file.imports.set((one["local"] as { name: string }).name, { path, name });
    }
    if ((node["specifiers"] as Node[]).length === 0)
      file.imports.set(`import ${path}`, { path, name: "*" });
    return;
  }
  if (isType) return;
  if (node.type === "ExportAllDeclaration") {
    if (path) file.passedOn.push(path);
    return;
  }
  if (node.type === "ExportNamedDeclaration" && !node["declaration"]) {
    for (const one of node["specifiers"] as Node[]) {
      const [own, given] = [one["local"], one["exported"]] as { name: string }[];
      if (own && given) file.exports.set(given.name, { name: own.name, ...(path && { path }) });
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
      file.exports.set("default", { name: names[0] ?? "default" });
      if (names.length === 0) names.push("default");
    } else if (isExport) for (const name of names) file.exports.set(name, { name });
    if (declared.type.startsWith("TS")) continue;
    const statement = readCode(file, part, source);
    for (const name of names.length > 0 ? names : [""])
      file.statements.set(name, [...(file.statements.get(name) ?? []), statement]);
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

/** The nodes of types that wrap code; all other nodes of types contain none. */
const WRAPPERS = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"]);

function readCode(file: Module, code: Node, source: string): Statement {
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
    isGivenTranslator: false,
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
        const part = lazyPartOf(file, node);
        if (part) {
          statement.lazy.push(part);
          return;
        }
        const [first] = node["arguments"] as Node[];
        const name = translatorIn(node["callee"] as Node, bound);
        if (!first || name === null) break;
        if (name !== "" && !bound.has(name)) statement.isGivenTranslator = true;
        if (first.type === "TemplateLiteral") statement.patterns.push(patternOf(first));
        else if (!isPlain(first)) statement.asksVariable = true;
        break;
      }
      case "ImportExpression": {
        const path = resolveImport(
          file.path,
          (node["source"] as { value?: string }).value ?? "",
        );
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

/** The part of `lazyPart(() => import("./file.tsx"), "namespace")`; null for any other call. */
function lazyPartOf(file: Module, call: Node): LazyPart | null {
  const callee = call["callee"] as Node;
  if (callee.type !== "Identifier" || callee["name"] !== "lazyPart") return null;
  const [load, ...names] = call["arguments"] as Node[];
  const found = load && firstImport(load);
  const path = found ? resolveImport(file.path, found) : null;
  if (!path) throw new Error(`${file.path}: lazyPart needs an import() of a file`);
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

/** The name of a translator that is called: `t(…)`, `reader.t(…)`, `t.rich(…)`; "" for its hook's result. */
function translatorIn(callee: Node, bound: Set<string>): string | null {
  const name = nameOf(callee);
  if (callee.type === "Identifier")
    return USUAL_NAME.test(name) || bound.has(name) ? name : null;
  if (callee.type === "CallExpression")
    return nameOf(callee["callee"]) === "useTranslations" ? "" : null;
  if (callee.type !== "MemberExpression") return null;
  const [object, property] = [callee["object"] as Node, callee["property"] as Node];
  if (USUAL_NAME.test(nameOf(property))) return `.${nameOf(property)}`;
  return /^(?:rich|markup|has|raw)$/.test(nameOf(property))
    ? translatorIn(object, bound)
    : null;
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
  return new RegExp(`^${parts.join("\\S+")}$`);
}

export function resolveImport(from: string, name: string): string | null {
  if (!/\.tsx?$/.test(name) || !/^[.#]/.test(name)) return null;
  return name.startsWith("#") ? name.slice(1) : posix.join(posix.dirname(from), name);
}
