"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { fieldText, useActionForm } from "#components/forms/use-action.tsx";
import { resetPasswordAction } from "#lib/auth/actions.ts";
import { NewPasswordField } from "#components/ui/forms/new-password-field.tsx";
import { OpenForm } from "./open-form.tsx";

export function ResetPasswordForm({ token }: { token: string }) {
  const t = useTranslations("auth.resetPassword");
  const [isLeaving, setLeaving] = useState(false);
  const { form, isPending, failure, error } = useActionForm(resetPasswordAction, {
    read: (fields) => ({ token, password: fieldText(fields, "password") }),
    onDone: () => {
      setLeaving(true);
      window.location.assign("/sign-in?reset=done");
    },
  });

  return (
    <OpenForm
      label={t("submit")}
      failure={failure}
      isPending={isPending || isLeaving}
      form={form}
    >
      <NewPasswordField label={t("label")} email="" error={error("password")} />
    </OpenForm>
  );
}
