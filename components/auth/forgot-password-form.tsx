"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { type ActionResult, fieldText, useActionForm } from "#components/forms/use-action.tsx";
import { MailCheck } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { requestResetAction } from "#lib/auth/actions.ts";
import { OpenForm } from "./open-form.tsx";

/** @returns the email for which a link was requested; it may belong to no account */
async function requestReset(input: { email: string }): Promise<ActionResult<string>> {
  const result = await requestResetAction(input);
  return result.ok ? { ok: true, value: input.email } : result;
}

export function ForgotPasswordForm() {
  const t = useTranslations("auth");
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { form, isPending, failure, error } = useActionForm(requestReset, {
    read: (fields) => ({ email: fieldText(fields, "email") }),
    onDone: setSentTo,
  });

  if (sentTo !== null)
    return (
      <Notice icon={MailCheck} role="status">
        {t("forgotPassword.sent", { email: sentTo })}
      </Notice>
    );
  return (
    <OpenForm label={t("forgotPassword.submit")} {...{ form, failure, isPending }}>
      <TextField
        id="email"
        name="email"
        label={t("email")}
        type="email"
        autoComplete="username"
        required
        autoFocus
        error={error("email")}
      />
    </OpenForm>
  );
}
