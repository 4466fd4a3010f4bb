import "server-only";
import { cookies, headers } from "next/headers";
import { languageCookieName } from "#lib/auth/sessions/cookies.ts";
import { currentSession } from "#lib/auth/guards/require-seller.ts";
import { acceptedLanguage, isLanguage, type Language } from "./languages.ts";

/** What this person chose, else what was chosen in this browser, else what it asks for. */
export async function currentLanguage(): Promise<Language> {
  const chosen = (await currentSession())?.user.language;
  if (chosen) return chosen;
  const remembered = (await cookies()).get(languageCookieName())?.value;
  if (isLanguage(remembered)) return remembered;
  return acceptedLanguage((await headers()).get("accept-language"));
}
