"use client";

import { NextIntlClientProvider, useLocale, useMessages, type Messages } from "next-intl";
import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  use,
  useMemo,
  useState,
} from "react";
import { preload } from "react-dom";
import type { Language } from "#lib/i18n/languages.ts";
import { fetchJson, fromPropJson } from "#lib/query/fetch-json.ts";

interface MessagesProviderProps {
  /** The name of the texts in page-words.json. */
  of: string;
  /**
   * The messages as one text by `toPropJson`, because React would serialise and visit every value of an
   * object. Unset in a full page load, whose head has the URL of the messages instead; `version` is in
   * that URL.
   */
  json?: string;
  version?: string;
  children: ReactNode;
}

/** Adds messages to those of the providers above. */
export function MessagesProvider({ of, json, version = "", children }: MessagesProviderProps) {
  const language = useLocale();
  const text =
    json ??
    textOnServer(language, version, of) ??
    use(documentWords(of, wordsAddress(language, version, of)));
  return <MoreMessages more={readMessages(text)}>{children}</MoreMessages>;
}

/** On the server, the texts of components/shell/page-words.ts, a file not sent to browsers. */
const shared = globalThis as typeof globalThis & { duebookWords?: Map<string, string> };

function textOnServer(language: Language, version: string, of: string): string | undefined {
  const text = shared.duebookWords?.get(`${language} ${version} ${of}`);
  // scripts/server/page-head.ts joins these URLs of a page into one.
  if (text !== undefined)
    preload(wordsAddress(language, version, of), { as: "fetch", crossOrigin: "anonymous" });
  return text;
}

/** In the browser, the texts fetched for this document, by name. */
const fetchedWords = new Map<string, Promise<string>>();

let documentVersion = "";

// Fetched before anything is rendered, so that hydration seldom waits for the texts.
if (typeof document !== "undefined")
  for (const { href } of document.querySelectorAll<HTMLLinkElement>(
    'link[rel="preload"][href^="/api/words?"]',
  )) {
    const answer = keepFetching(href);
    const asked = new URL(href).searchParams;
    documentVersion = asked.get("version") ?? "";
    for (const name of asked.getAll("of"))
      fetchedWords.set(
        name,
        answer.then((words) => wordsIn(words, name)),
      );
  }

function documentWords(of: string, address: string): Promise<string> {
  const words = fetchedWords.get(of) ?? keepFetching(address).then((all) => wordsIn(all, of));
  fetchedWords.set(of, words);
  return words;
}

const wordsAddress = (language: Language, version: string, of: string) =>
  `/api/words?${new URLSearchParams({ language, version, of }).toString()}`;

function wordsIn(words: Record<string, string>, of: string): string {
  const text = words[of];
  if (text === undefined) throw new Error(`The texts of '${of}' were not loaded.`);
  return text;
}

/** Retries until the words arrive; until then the page stays as the server rendered it. */
async function keepFetching(address: string): Promise<Record<string, string>> {
  for (let pause = 500; ; pause = Math.min(2 * pause, 15_000)) {
    // A preloaded answer is taken only by a request without headers of its own.
    const response = await fetch(address).catch(() => null);
    if (response?.ok) return (await response.json()) as Record<string, string>;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/**
 * The parsed messages by their JSON. They are never dropped, because there is only one JSON per page and
 * language.
 */
const readTexts = new Map<string, Group>();

function readMessages(json: string): Group {
  const messages = readTexts.get(json) ?? (fromPropJson(json) as Group);
  readTexts.set(json, messages);
  return messages;
}

interface MoreMessagesProps {
  more: Group;
  children: ReactNode;
}

function MoreMessages({ more, children }: MoreMessagesProps) {
  const above = useMessages();
  const all = useMemo(() => merge(above as Group, more) as Partial<Messages>, [above, more]);
  return (
    <NextIntlClientProvider locale={useLocale()} messages={all} timeZone="UTC">
      {children}
    </NextIntlClientProvider>
  );
}

interface Group {
  [name: string]: unknown;
}

/** A message is a text or, with arguments, an array. */
const isGroup = (value: unknown): value is Group =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function merge(above: Group, more: Group): Group {
  const all = { ...above };
  for (const [name, value] of Object.entries(more)) {
    const known = all[name];
    all[name] = isGroup(known) && isGroup(value) ? merge(known, value) : value;
  }
  return all;
}

type Words = (language: Language) => Promise<{ default: Group }>;

/** Words that lazy parts fetch; each becomes one static file per language. */
const WORDS = {
  bulk: (language) => import(`../../lib/i18n/messages/${language}/bulk.json`),
  keyboard: (language) => import(`../../lib/i18n/messages/${language}/keyboard.json`),
  layout: (language) => import(`../../lib/i18n/messages/${language}/layout.json`),
  leaving: (language) => import(`../../lib/i18n/messages/${language}/leaving.json`),
  owed: (language) => import(`../../lib/i18n/messages/${language}/owed.json`),
  raw: (language) => import(`../../lib/i18n/messages/${language}/raw.json`),
  subscription: (language) => import(`../../lib/i18n/messages/${language}/subscription.json`),
  subscriptions: (language) => import(`../../lib/i18n/messages/${language}/subscriptions.json`),
  tags: (language) => import(`../../lib/i18n/messages/${language}/tags.json`),
  views: (language) => import(`../../lib/i18n/messages/${language}/views.json`),
} satisfies Record<string, Words>;

type WordsName = keyof typeof WORDS | typeof RECORD;

/** Words of a page that lazy parts fetch too: the page's name in page-words.json. */
const RECORD = "subscriptions/record";

const fetchWords = async (name: WordsName, language: Language): Promise<Group> =>
  name === RECORD
    ? readMessages(
        wordsIn(
          await fetchJson(
            wordsAddress(language, documentVersion, name),
            new AbortController().signal,
          ),
          name,
        ),
      )
    : { [name]: (await WORDS[name](language)).default };

/**
 * Milliseconds for which a failed fetch is remembered, so that React shows the failure instead of fetching
 * again and again.
 */
const FAILURE_MS = 1_000;

/** A component whose code and words are fetched when it is first shown, or before by `preload`. */
type LazyPart<Props> = ComponentType<Props> & { preload: () => Promise<unknown> };

/**
 * A component that is fetched when first shown, together with the namespaces of messages that its
 * page may lack, in the reader's language. Needs a Suspense above it. If either fetch fails, the
 * part fails, and both are fetched again when it is shown the next time.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  ...namespaces: WordsName[]
): LazyPart<Props> {
  async function fetchPart(language: Language) {
    const [Part, ...words] = await Promise.all([
      load(),
      ...namespaces.map((name) => fetchWords(name, language)),
    ]);
    const more: Group = Object.fromEntries(words.flatMap((one) => Object.entries(one)));
    const Complete: ComponentType<Props> = (props) => (
      <MoreMessages more={more}>
        <Part {...props} />
      </MoreMessages>
    );
    fetched.set(language, Complete);
    return { default: Complete };
  }
  const fetched = new Map<Language, ComponentType<Props>>();
  const fetching = new Map<Language, ReturnType<typeof fetchPart>>();
  function fetchOnce(language: Language) {
    const part = fetching.get(language) ?? fetchPart(language);
    fetching.set(language, part);
    part.catch(() => setTimeout(forget, FAILURE_MS, language));
    return part;
  }
  const parts = new Map<Language, ComponentType<Props>>();
  function partIn(language: Language) {
    const part =
      parts.get(language) ?? (lazy(() => fetchOnce(language)) as ComponentType<Props>);
    parts.set(language, part);
    return part;
  }
  function forget(language: Language) {
    fetching.delete(language);
    parts.delete(language);
  }
  function Lazy(props: Props) {
    const language = useLocale();
    // Texts that are already fetched are shown at once; `lazy` would show the fallback first.
    const [Part] = useState(() => fetched.get(language) ?? partIn(language));
    return createElement(Part, props);
  }
  return Object.assign(Lazy, {
    preload: () => fetchOnce(document.documentElement.lang as Language),
  });
}
