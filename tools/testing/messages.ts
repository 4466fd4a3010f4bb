import { createTranslator } from "next-intl";
import { makeFormat, type Format, type FormatSettings } from "#lib/format/format.ts";
import { readCatalogue, type Namespace } from "#lib/i18n/catalogue.ts";
import type { Language } from "#lib/i18n/languages.ts";
import type { Translate, TranslateAll } from "#lib/i18n/message.ts";

export const CATALOGUES = { en: await readCatalogue("en"), ne: await readCatalogue("ne") };

/** The translator that `useTranslations` returns. */
export function translatorOf<Of extends Namespace>(
  namespace: Of,
  language: Language = "en",
): Translate<Of> {
  return createTranslator({ ...settingsOf(language), namespace }) as unknown as Translate<Of>;
}

/** A translator without a namespace. */
export function fullTranslator(language: Language = "en"): TranslateAll {
  return createTranslator(settingsOf(language)) as unknown as TranslateAll;
}

const settingsOf = (language: Language) => ({
  locale: language,
  messages: CATALOGUES[language],
  timeZone: "UTC",
});

/** The format that `useFormat` returns for a seller in Kathmandu. */
export function formatOf(settings: Partial<FormatSettings> = {}): Format {
  const language = settings.language ?? "en";
  return makeFormat(translatorOf("format", language), {
    language,
    time_zone: "Asia/Kathmandu",
    now: "2026-11-20T06:00:00Z",
    currency: "NPR",
    amount_style: "code",
    ...settings,
  });
}
