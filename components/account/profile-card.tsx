"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { fieldText } from "#components/forms/use-action.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { Card } from "#components/ui/card.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { NewPasswordField } from "#components/ui/forms/new-password-field.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import {
  changeEmailAction,
  changeNameAction,
  changePasswordAction,
} from "#lib/account/actions.ts";

interface ProfileCardProps {
  name: string;
  email: string;
  hasPassword: boolean;
}

/** Name, email, password and sign-in methods. */
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
  /** Buttons. */
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
