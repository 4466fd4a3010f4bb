"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useRouter } from "next/navigation";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { FailureNotice, fieldText, useAction } from "#components/forms/use-action.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { Card } from "#components/ui/card.tsx";
import { ChevronDown } from "#components/ui/icons.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { NewPasswordField } from "#components/ui/forms/new-password-field.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import {
  changeEmailAction,
  changeLanguageAction,
  changeNameAction,
  changePasswordAction,
} from "#lib/account/actions.ts";
import { useSeller } from "#components/context/seller-context.tsx";
import { Switch } from "#components/ui/forms/switch.tsx";
import { useHydrated } from "#components/ui/button.tsx";
import { isLanguage, LANGUAGE_NAMES, LANGUAGES } from "#lib/i18n/languages.ts";

interface ProfileCardProps {
  name: string;
  email: string;
  hasPassword: boolean;
}

export function ProfileCard({ name, email, hasPassword }: ProfileCardProps) {
  const t = useTranslations("account");
  const changeButton = (what: string) => ({
    "aria-label": what,
    children: t("change"),
  });
  return (
    <Card className="divide-y">
      <SettingRow label={t("name.label")} value={name}>
        <ActionButton
          noValidate
          title={t("name.change")}
          label={t("save")}
          button={changeButton(t("name.change"))}
          action={changeNameAction}
          read={(form) => ({ name: fieldText(form, "name") })}
        >
          {(error) => (
            <TextField
              ref={initialFocus}
              id="account-name"
              name="name"
              label={t("name.yours")}
              autoComplete="name"
              defaultValue={name}
              error={error("name")}
            />
          )}
        </ActionButton>
      </SettingRow>
      <SettingRow label={t("email.label")} value={email}>
        <ActionButton
          noValidate
          title={t("email.change")}
          label={t("save")}
          button={changeButton(t("email.change"))}
          action={changeEmailAction}
          read={(form) => ({
            email: fieldText(form, "email"),
            current_password: fieldText(form, "current_password"),
          })}
        >
          {(error) => (
            <>
              <TextField
                ref={initialFocus}
                id="account-email"
                name="email"
                label={t("email.new")}
                type="email"
                autoComplete="email"
                hint={t("email.hint")}
                error={error("email")}
              />
              <CurrentPassword hasPassword={hasPassword} error={error("current_password")} />
            </>
          )}
        </ActionButton>
      </SettingRow>
      <SettingRow
        label={t("password.label")}
        value={hasPassword ? t("password.text") : t("password.none")}
      >
        {hasPassword && (
          <ActionButton
            noValidate
            title={t("password.change")}
            label={t("password.change")}
            button={changeButton(t("password.change"))}
            doneText={t("password.changed")}
            action={changePasswordAction}
            read={(form) => ({
              password: fieldText(form, "password"),
              current_password: fieldText(form, "current_password"),
            })}
          >
            {(error) => (
              <>
                <input type="hidden" autoComplete="username" value={email} readOnly />
                <CurrentPassword isFirst hasPassword error={error("current_password")} />
                <NewPasswordField
                  label={t("password.new")}
                  email={email}
                  error={error("password")}
                />
              </>
            )}
          </ActionButton>
        )}
      </SettingRow>
    </Card>
  );
}

interface SettingRowProps {
  label: string;
  value: ReactNode;
  children?: ReactNode;
}

export function SettingRow({ label, value, children }: SettingRowProps) {
  return (
    <div className="flex items-center justify-between gap-4 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{label}</p>
        <div className="text-sm break-words text-muted">{value}</div>
      </div>
      {children && <div className="shrink-0">{children}</div>}
    </div>
  );
}

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
