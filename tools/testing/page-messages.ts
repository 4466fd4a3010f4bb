import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { CATALOGUES } from "./messages.ts";
import { ROOT } from "#scripts/process/settings.ts";

/**
 * The message namespaces that a page's client components use, each with a file that uses it, and
 * those sent to the browser.
 */
interface PageMessages {
  page: string;
  asked: Map<string, string>;
  sent: Set<string>;
}

/** The messages of every page, layout, loading and error file of app/. */
export function messagesOfAllPages(): PageMessages[] {
  return globSync("app/**/{page,layout,loading,error,not-found}.tsx", { cwd: ROOT })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .map((page) => {
      const { asked, sent } = followImports(page);
      for (const layout of layoutsOver(page))
        for (const namespace of followImports(layout).sent) sent.add(namespace);
      return { page, asked, sent };
    });
}

function layoutsOver(page: string): string[] {
  const layouts: string[] = [];
  for (let folder = dirname(page); folder !== "."; folder = dirname(folder)) {
    const layout = `${folder}/layout.tsx`;
    if (layout !== page && existsSync(join(ROOT, layout))) layouts.push(layout);
  }
  return layouts;
}

/** Follows the imports of a file; modules below "use client" run in the browser, "use server" modules do not. */
function followImports(start: string) {
  const asked = new Map<string, string>();
  const sent = new Set<string>();
  const seen = new Set<string>();
  const visit = (path: string, isWithinClient: boolean) => {
    const { source, imports, isClient, isServer } = readModule(path);
    const isBrowsers = isWithinClient || isClient;
    if (isServer || seen.has(`${path} ${isBrowsers}`)) return;
    seen.add(`${path} ${isBrowsers}`);
    // A module of lib serves many pages, and the bundler drops the functions that a page does not call.
    if (isBrowsers && !path.startsWith("lib/"))
      for (const name of namespacesIn(source)) {
        if (!asked.has(name)) asked.set(name, path);
      }
    if (!isBrowsers) for (const name of sentIn(source)) sent.add(name);
    for (const next of imports) visit(next, isBrowsers);
  };
  visit(start, false);
  return { asked, sent };
}

interface Module {
  source: string;
  imports: string[];
  isClient: boolean;
  isServer: boolean;
}

const modules = new Map<string, Module>();

function readModule(path: string): Module {
  const known = modules.get(path);
  if (known) return known;
  const source = readFileSync(join(ROOT, path), "utf8");
  const read = {
    source,
    imports: importsOf(path, source),
    isClient: source.startsWith('"use client"'),
    isServer: /^(?:"use server"|import "server-only")/.test(source),
  };
  modules.set(path, read);
  return read;
}

const IMPORT = /^(?:import|export) (?!type )[^;]*?from "([^"]+)"|\bimport\(\s*"([^"]+)"/gm;

function importsOf(path: string, source: string): string[] {
  return [...source.matchAll(IMPORT)].flatMap(([, fixed, late]) => {
    const name = fixed ?? late ?? "";
    if (!/\.tsx?$/.test(name)) return [];
    return name.startsWith("#") ? [name.slice(1)] : [posix.join(posix.dirname(path), name)];
  });
}

const OWN_WORDS = /\buseTranslations\("(\w+)/g;
const FULL_NAME = /["`]([a-z]+)\.([\w.]*)/g;
const KEYS = Object.entries(CATALOGUES.en).flatMap(([namespace, words]) =>
  keysOf(words).map((key) => `${namespace}.${key}`),
);

function keysOf(words: object): string[] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? keysOf(value).map((inner) => `${key}.${inner}`)
      : [key],
  );
}

/** Namespaces that a source uses, directly or by a full message key, which may end in a template value. */
function namespacesIn(source: string): string[] {
  const own = [...source.matchAll(OWN_WORDS)].map(([, name = ""]) => name);
  const full = [...source.matchAll(FULL_NAME)]
    .filter(([, name, rest]) => KEYS.some((key) => key.startsWith(`${name}.${rest}`)))
    .map(([, name = ""]) => name);
  return [...own, ...full];
}

function sentIn(source: string): string[] {
  const sent = source.matchAll(
    /<ClientMessages of=\{\[([^\]]*)\]\}|messagesLayout\(([^)]*)\)/g,
  );
  return [...sent].flatMap(([, inElement, inLayout]) =>
    [...(inElement ?? inLayout ?? "").matchAll(/"(\w+)"/g)].map(([, name = ""]) => name),
  );
}
