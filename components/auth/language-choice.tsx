"use client";

import { useLocale, useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { useAction } from "#components/forms/use-action.tsx";
import { chooseLanguageAction } from "#lib/auth/actions.ts";
import { LANGUAGE_NAMES, LANGUAGES } from "#lib/i18n/languages.ts";

/** Language buttons before sign-in, each in its own language. */
export function LanguageChoice() {
  const t = useTranslations("ui");
  const chosen = useLocale();
  const { run, isPending } = useAction(chooseLanguageAction);
  return (
    <div role="group" aria-label={t("language")} className="mt-4 flex justify-center gap-1">
      {LANGUAGES.map((language) => (
        <Button
          key={language}
          look="quiet"
          lang={language}
          aria-pressed={language === chosen}
          className="aria-pressed:font-semibold aria-pressed:text-ink"
          disabled={isPending}
          onClick={() => void run({ language })}
        >
          {LANGUAGE_NAMES[language]}
        </Button>
      ))}
    </div>
  );
}
