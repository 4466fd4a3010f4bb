import { getRequestConfig } from "next-intl/server";
import { CATALOGUES } from "./catalogue.ts";
import { currentLanguage } from "./current-language.ts";

/** Found by next-intl through next.config.ts. Dates are written by lib/format/format.ts, in the seller's zone. */
export default getRequestConfig(async ({ locale: asked }) => {
  const locale = asked ?? (await currentLanguage());
  return { locale, messages: CATALOGUES[locale], timeZone: "UTC" };
});
