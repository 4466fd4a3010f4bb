import { useHydrated } from "#components/ui/button.tsx";
import { isLanguage } from "#lib/i18n/languages.ts";
import { messageWriterFor } from "#lib/messages/rules.ts";

/**
 * Until hydration, uses English in place of a language that Duebook itself does not have, because
 * browser and server may format its values differently.
 */
export function useMessageWriter(language: string) {
  const isReady = useHydrated();
  return messageWriterFor(isReady || isLanguage(language) ? language : "en");
}
