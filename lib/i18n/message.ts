import type { useTranslations } from "next-intl";

/** What `useTranslations()` gives without a namespace. */
export type TranslateAll = ReturnType<typeof useTranslations<never>>;

/** Any word of the catalogues, by its full name: "auth.wrongCode". */
export type MessageKey = Parameters<TranslateAll>[0];

/**
 * Duebook's own words where no language is known yet: in a schema, or deep in an action. It travels
 * as text, between the service's words, until `inWords` meets it.
 */
export function message(key: MessageKey, values?: Record<string, string | number>): string {
  return values ? `${key} ${JSON.stringify(values)}` : key;
}

const MESSAGE = /^([a-z][A-Za-z]*(?:\.\w+)+)(?: (\{.*\}))?$/s;

/** A message in the reader's language; any other text, as the service's, as it came. */
export function inWords(t: TranslateAll, text: string): string {
  const [, key, values] = MESSAGE.exec(text) ?? [];
  if (!key || !t.has(key as MessageKey)) return text;
  return t(key as MessageKey, values ? (JSON.parse(values) as Record<string, string>) : {});
}
