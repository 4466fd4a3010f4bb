"use client";

import { MailCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { fieldError, fieldText, useAction } from "#components/forms/use-action.ts";
import { Notice } from "#components/ui/notice.tsx";
import { TextField } from "#components/ui/forms/text-field.tsx";
import { requestResetAction } from "#lib/auth/actions.ts";
import { OpenForm } from "./open-form.tsx";

export function ForgotPasswordForm() {
  const t = useTranslations("auth");
  const { run, isPending, failure } = useAction(requestResetAction);
  const [sentTo, setSentTo] = useState<string | null>(null);

  async function submit(form: HTMLFormElement) {
    const email = fieldText(form, "email");
    if (await run({ email })) setSentTo(email);
  }

  if (sentTo !== null)
    return (
      <Notice icon={MailCheck} role="status">
        {t("forgotPassword.sent", { email: sentTo })}
      </Notice>
    );
  return (
    <OpenForm
      label={t("forgotPassword.submit")}
      failure={failure}
      isPending={isPending}
      onSubmit={submit}
    >
      <TextField
        id="email"
        name="email"
        label={t("email")}
        type="email"
        autoComplete="username"
        required
        autoFocus
        error={fieldError(failure, "email")}
      />
    </OpenForm>
  );
}
