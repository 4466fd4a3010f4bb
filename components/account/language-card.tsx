"use client";

import { ChevronDown } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { FailureNotice, useAction } from "#components/forms/use-action.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { Card } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/forms/switch.tsx";
import { useHydrated } from "#components/ui/button.tsx";
import { changeLanguageAction } from "#lib/account/actions.ts";
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from "#lib/i18n/languages.ts";
import { SettingRow } from "./profile-card.tsx";

/** Language and calendar; a change is saved at once. */
export function LanguageCard() {
  const t = useTranslations("account.language");
  const language = useLocale();
  const { second_calendar } = useSeller();
  const router = useRouter();
  const isReady = useHydrated();
  const { run, isPending, failure } = useAction(changeLanguageAction);
  const change = async (wish: Parameters<typeof run>[0]) => {
    if (await run(wish)) router.refresh();
  };
  return (
    <Card className="divide-y">
      {failure && (
        <div className="px-4 pt-4 sm:px-5">
          <FailureNotice failure={failure} />
        </div>
      )}
      <SettingRow label={t("label")} value={t("hint")}>
        <span className="relative block">
          <select
            aria-label={t("label")}
            value={language}
            disabled={isPending || !isReady}
            onChange={({ target: { value } }) => {
              if (isLanguage(value)) void change({ language: value, second_calendar });
            }}
            className="h-8 appearance-none rounded border bg-surface pr-8 pl-3 text-ink shadow-card max-md:h-11"
          >
            {LANGUAGES.map((one) => (
              <option key={one} value={one} lang={one}>
                {LANGUAGE_NAMES[one]}
              </option>
            ))}
          </select>
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-muted"
          />
        </span>
      </SettingRow>
      <SettingRow label={t("bikramSambat")} value={t("bikramSambatHint")}>
        <Switch
          label={t("bikramSambat")}
          isOn={second_calendar === "bikram_sambat"}
          isPending={isPending}
          onSwitch={(isOn) =>
            void change({ language, second_calendar: isOn ? "bikram_sambat" : null })
          }
        />
      </SettingRow>
    </Card>
  );
}
