"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import { fieldText } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
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
import { SettingRow } from "./setting-row.tsx";

interface ProfileCardProps {
  name: string;
  email: string;
  hasPassword: boolean;
}

/** Name, email, password and sign-in methods. */
export function ProfileCard({ name, email, hasPassword }: ProfileCardProps) {
  const t = useTranslations("account");
  const [open, setOpen] = useState<"name" | "email" | "password" | null>(null);
  const close = () => setOpen(null);
  return (
    <Card className="divide-y">
      <SettingRow label={t("name.label")} value={name}>
        <Button
          aria-haspopup="dialog"
          onClick={() => setOpen("name")}
          aria-label={t("name.change")}
        >
          {t("change")}
        </Button>
      </SettingRow>
      <SettingRow label={t("email.label")} value={email}>
        <Button
          aria-haspopup="dialog"
          onClick={() => setOpen("email")}
          aria-label={t("email.change")}
        >
          {t("change")}
        </Button>
      </SettingRow>
      <SettingRow
        label={t("password.label")}
        value={hasPassword ? t("password.text") : t("password.none")}
      >
        {hasPassword && (
          <Button
            aria-haspopup="dialog"
            onClick={() => setOpen("password")}
            aria-label={t("password.change")}
          >
            {t("change")}
          </Button>
        )}
      </SettingRow>
      <ActionDialog
        noValidate
        title={t("name.change")}
        label={t("save")}
        isOpen={open === "name"}
        onClose={close}
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
      </ActionDialog>
      <ActionDialog
        noValidate
        title={t("email.change")}
        label={t("save")}
        isOpen={open === "email"}
        onClose={close}
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
      </ActionDialog>
      <ActionDialog
        noValidate
        title={t("password.change")}
        label={t("password.change")}
        doneText={t("password.changed")}
        isOpen={open === "password"}
        onClose={close}
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
      </ActionDialog>
    </Card>
  );
}
