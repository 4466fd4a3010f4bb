import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { currentSession } from "#lib/auth/guards/require-seller.ts";
import { languageCookieName } from "#lib/auth/sessions/cookies.ts";
import { readCatalogue } from "./i18n/catalogue.ts";
import { acceptedLanguage, isLanguage, type Language } from "./i18n/languages.ts";

/**
 * next-intl loads this file (next.config.ts). Dates are formatted in the seller's time zone by
 * lib/format.
 */
export default getRequestConfig(async ({ locale: asked }) => {
  const locale = asked ?? (await currentLanguage());
  return { locale, messages: await readCatalogue(locale), timeZone: "UTC" };
});

/** The language saved in the account, else the browser's cookie, else its Accept-Language header. */
async function currentLanguage(): Promise<Language> {
  const chosen = (await currentSession())?.user.language;
  if (chosen) return chosen;
  const remembered = (await cookies()).get(languageCookieName())?.value;
  if (isLanguage(remembered)) return remembered;
  return acceptedLanguage((await headers()).get("accept-language"));
}
