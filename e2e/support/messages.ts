import { readdirSync, readFileSync } from "node:fs";
import { createTranslator } from "next-intl";
import { makeFormat } from "#lib/format/format.ts";
import type { Language } from "#lib/i18n/languages.ts";
import type { Catalogue } from "#lib/i18n/catalogue.ts";
import type { Translate, TranslateAll } from "#lib/i18n/message.ts";

function messagesOf(language: Language) {
  const folder = new URL(`../../lib/i18n/messages/${language}/`, import.meta.url);
  return Object.fromEntries(
    readdirSync(folder).map((file) => [
      file.replace(".json", ""),
      JSON.parse(readFileSync(new URL(file, folder), "utf8")) as unknown,
    ]),
  ) as unknown as Catalogue;
}

/** A translator for all messages; reads the files, because Node needs import attributes for JSON. */
export function translator(language: Language = "en"): TranslateAll {
  const messages = messagesOf(language);
  const t = createTranslator({ locale: language, messages, timeZone: "UTC" });
  return t as unknown as TranslateAll;
}

/** A date as shown to a seller in Kathmandu, such as "20 Nov 2026". */
export function formatDate(iso: string): string {
  const language = "en";
  const messages = messagesOf(language);
  const t = createTranslator({ locale: language, messages, namespace: "format" });
  return makeFormat(t as unknown as Translate<"format">, {
    language,
    time_zone: "Asia/Kathmandu",
    now: "",
    currency: "NPR",
    amount_style: "code",
  }).date(iso);
}
