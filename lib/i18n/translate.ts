import type { useTranslations } from "next-intl";
import type { Catalogue, Namespace } from "./catalogue.ts";
import type { Language } from "./languages.ts";

declare module "next-intl" {
  interface AppConfig {
    Locale: Language;
    Messages: Catalogue;
  }
}

/** The type of a namespace's translator, for functions that take one. */
export type Translate<Of extends Namespace> = ReturnType<typeof useTranslations<Of>>;
