import type { useTranslations } from "next-intl";
import type { Catalogue, Namespace } from "./catalogue.ts";
import type { Language } from "./languages.ts";

/** The type of `useTranslations()` without a namespace. */
export type TranslateAll = ReturnType<typeof useTranslations<never>>;

/** A message's key with its namespace: "auth.wrongCode". */
export type MessageKey = Parameters<TranslateAll>[0];

/**
 * A message as text that `translateMessage` translates later, for code that does not know the reader's
 * language.
 */
export function message(key: MessageKey, values?: Record<string, string | number>): string {
  return values ? `${key} ${JSON.stringify(values)}` : key;
}

const MESSAGE = /^([a-z][A-Za-z]*(?:\.\w+)+)(?: (\{.*\}))?$/s;

/** Translates a message; other text, such as the service's, is returned unchanged. */
export function translateMessage(t: TranslateAll, text: string): string {
  const [, key, values] = MESSAGE.exec(text) ?? [];
  if (!key || !t.has(key as MessageKey)) return text;
  return t(key as MessageKey, values ? (JSON.parse(values) as Record<string, string>) : {});
}

declare module "next-intl" {
  interface AppConfig {
    Locale: Language;
    Messages: Catalogue;
  }
}

export type Translate<Of extends Namespace> = ReturnType<typeof useTranslations<Of>>;
