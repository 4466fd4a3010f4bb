"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { fieldError, fieldText, useAction } from "#components/forms/use-action.ts";
import { resetPasswordAction } from "#lib/auth/actions.ts";
import { NewPasswordField } from "#components/ui/forms/new-password-field.tsx";
import { OpenForm } from "./open-form.tsx";

export function ResetPasswordForm({ token }: { token: string }) {
  const t = useTranslations("auth.resetPassword");
  const { run, isPending, failure } = useAction(resetPasswordAction);
  const [isLeaving, setLeaving] = useState(false);

  async function submit(form: HTMLFormElement) {
    const password = fieldText(form, "password");
    if (!(await run({ token, password }))) return;
    setLeaving(true);
    window.location.assign("/sign-in?reset=done");
  }

  return (
    <OpenForm
      label={t("submit")}
      failure={failure}
      isPending={isPending || isLeaving}
      onSubmit={submit}
    >
      <NewPasswordField label={t("label")} email="" error={fieldError(failure, "password")} />
    </OpenForm>
  );
}
