import "server-only";
import { createTranslator } from "use-intl/core";
import type { Language } from "#lib/i18n/languages.ts";
import type { Translate } from "#lib/i18n/message.ts";

// Next needs no type attribute to import JSON, but the worker runs without Next.
const WORDS = {
  en: () => import("#lib/i18n/messages/en/notices.json", { with: { type: "json" } }),
  ne: () => import("#lib/i18n/messages/ne/notices.json", { with: { type: "json" } }),
};

/** Translates the texts of notices, also in a process without requests. */
export async function noticeWords(locale: Language): Promise<Translate<"notices">> {
  const { default: notices } = await WORDS[locale]();
  return createTranslator({
    locale,
    messages: { notices },
    timeZone: "UTC",
    namespace: "notices",
  }) as unknown as Translate<"notices">;
}
