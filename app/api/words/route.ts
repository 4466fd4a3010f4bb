import { isLanguage } from "#lib/i18n/languages.ts";
import { isPageName, readPageWords, wordsVersion } from "#components/shell/page-words.ts";

/** The most names in a request; a page with its layouts has fewer. */
const MOST = 10;

/** Answers with the texts of the requested names in page-words.json; see client-messages.tsx. */
export async function GET(request: Request): Promise<Response> {
  const asked = new URL(request.url).searchParams;
  const language = asked.get("language");
  const names = asked.getAll("of");
  const areKnown = names.length > 0 && names.length <= MOST && names.every(isPageName);
  if (!isLanguage(language) || !areKnown)
    return new Response(null, { status: 404, headers: { "cache-control": "no-store" } });
  const words = names.map(async (name) => [name, await readPageWords(language, name)] as const);
  // The page of another release asks for another version, and must not cache these words under that
  // version's URL.
  const isCurrent = asked.get("version") === (await wordsVersion(language));
  return Response.json(Object.fromEntries(await Promise.all(words)), {
    headers: {
      "cache-control": isCurrent ? "public, max-age=31536000, immutable" : "no-store",
    },
  });
}
