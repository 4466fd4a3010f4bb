import type { useTranslations } from "next-intl";
import type { Catalogue, Namespace } from "./catalogue.ts";
import type { Language } from "./languages.ts";

declare module "next-intl" {
  interface AppConfig {
    Locale: Language;
    Messages: Catalogue;
  }
}

/** What `useTranslations` and `getTranslations` give for a namespace, for functions that are handed one. */
export type Translate<Of extends Namespace> = ReturnType<typeof useTranslations<Of>>;
