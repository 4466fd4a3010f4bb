"use client";

import { NextIntlClientProvider, useLocale, useMessages, type Messages } from "next-intl";
import { type ComponentType, createElement, lazy, type ReactNode, useMemo } from "react";
import type { Language } from "#lib/i18n/languages.ts";
import { fromPropJson } from "#lib/query/fetch-json.ts";

interface MessagesProviderProps {
  /**
   * The messages as one text by `toPropJson`, because React would serialise and visit every value of
   * an object.
   */
  json: string;
  children: ReactNode;
}

/** Adds messages to those of the providers above. */
export function MessagesProvider({ json, children }: MessagesProviderProps) {
  return <MoreMessages more={readMessages(json)}>{children}</MoreMessages>;
}

/** The messages by their text. The server has as many texts as pages and languages. */
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
  owed: (language) => import(`../../lib/i18n/messages/${language}/owed.json`),
  subscription: (language) => import(`../../lib/i18n/messages/${language}/subscription.json`),
  subscriptions: (language) => import(`../../lib/i18n/messages/${language}/subscriptions.json`),
  views: (language) => import(`../../lib/i18n/messages/${language}/views.json`),
} satisfies Record<string, Words>;

/** A component whose code and words are fetched when it is first shown, or before by `preload`. */
type LazyPart<Props> = ComponentType<Props> & { preload: () => Promise<unknown> };

/**
 * Fetches a component and the namespaces that only such parts use, at the same time, in the reader's
 * language. Needs a Suspense above it. A failed fetch of either fails alike.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  ...namespaces: (keyof typeof WORDS)[]
): LazyPart<Props> {
  async function fetchPart(language: Language) {
    const [Part, ...words] = await Promise.all([
      load(),
      ...namespaces.map(async (name) => [name, (await WORDS[name](language)).default] as const),
    ]);
    const more: Group = Object.fromEntries(words);
    const Complete: ComponentType<Props> = (props) => (
      <MoreMessages more={more}>
        <Part {...props} />
      </MoreMessages>
    );
    return { default: Complete };
  }
  const parts = new Map<Language, ComponentType<Props>>();
  function partIn(language: Language) {
    const part =
      parts.get(language) ?? (lazy(() => fetchPart(language)) as ComponentType<Props>);
    parts.set(language, part);
    return part;
  }
  const Lazy = (props: Props) => createElement(partIn(useLocale()), props);
  return Object.assign(Lazy, {
    preload: () => fetchPart(document.documentElement.lang as Language),
  });
}
