import { createHash } from "node:crypto";
import { toPropJson } from "#lib/query/fetch-json.ts";
import { readCatalogue } from "#lib/i18n/catalogue.ts";
import type { Language } from "#lib/i18n/languages.ts";
import PAGE_WORDS from "#lib/i18n/page-words.json";

export type PageName = keyof typeof PAGE_WORDS;

const NAMES = Object.keys(PAGE_WORDS) as PageName[];

export const isPageName = (text: string): text is PageName => NAMES.includes(text as PageName);

const texts = new Map<string, string>();

/** The words listed under a name, as text by `toPropJson`; picked once per process. */
export async function readPageWords(language: Language, of: PageName): Promise<string> {
  const name = `${language} ${of}`;
  const text =
    texts.get(name) ?? toPropJson(pick(await readCatalogue(language), PAGE_WORDS[of]));
  texts.set(name, text);
  return text;
}

const versions = new Map<Language, Promise<string>>();

/** A version that changes with any of a language's words. */
export function wordsVersion(language: Language): Promise<string> {
  const version = versions.get(language) ?? computeVersion(language);
  versions.set(language, version);
  return version;
}

async function computeVersion(language: Language): Promise<string> {
  const words = await Promise.all(NAMES.map((name) => readPageWords(language, name)));
  return createHash("sha256").update(JSON.stringify(words)).digest("hex").slice(0, 8);
}

const shared = globalThis as typeof globalThis & { duebookWords?: Map<string, string> };

/**
 * Lets components/context/messages-provider.tsx render words on the server that are not in its props.
 * @returns their version
 */
export async function shareWords(language: Language, of: PageName): Promise<string> {
  const version = await wordsVersion(language);
  const words = (shared.duebookWords ??= new Map());
  words.set(`${language} ${version} ${of}`, await readPageWords(language, of));
  return version;
}

interface Group {
  [name: string]: Group;
}

/** The messages at these paths, in their groups. */
function pick(messages: object, paths: readonly string[]): object {
  const picked: Group = {};
  for (const path of paths) {
    const groups = path.split(".");
    const last = groups.pop() ?? "";
    let [from, to] = [messages as Group, picked];
    for (const group of groups) {
      from = from[group] ?? {};
      to = to[group] ??= {};
    }
    if (from[last] !== undefined) to[last] = from[last];
  }
  return picked;
}
