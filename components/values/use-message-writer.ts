import { useHydrated } from "#components/ui/button.tsx";
import { isLanguage } from "#lib/i18n/languages.ts";
import { messageWriterFor } from "#lib/messages/rules.ts";

/** A browser may write the values of a language unlike the server, so not before hydration. */
export function useMessageWriter(language: string) {
  const isReady = useHydrated();
  return messageWriterFor(isReady || isLanguage(language) ? language : "en");
}
