"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { fieldError, fieldText, useAction } from "#components/forms/use-action.ts";
import { TextField } from "#components/ui/forms/text-field.tsx";
import { signUpAction } from "#lib/auth/actions.ts";
import { NewPasswordField } from "#components/ui/forms/new-password-field.tsx";
import { OpenForm } from "./open-form.tsx";

export function SignUpForm({ callbackPath }: { callbackPath: string }) {
  const t = useTranslations("auth");
  const { run, isPending, failure } = useAction(signUpAction);
  const [isLeaving, setLeaving] = useState(false);
  const [email, setEmail] = useState("");

  async function submit(form: HTMLFormElement) {
    const done = await run({
      name: fieldText(form, "name"),
      email,
      password: fieldText(form, "password"),
      callbackPath,
    });
    if (!done) return;
    setLeaving(true);
    window.location.assign(done.value.path);
  }

  return (
    <OpenForm
      label={t("signUp.submit")}
      failure={failure}
      isPending={isPending || isLeaving}
      onSubmit={submit}
    >
      <TextField
        id="name"
        name="name"
        label={t("signUp.name")}
        autoComplete="name"
        required
        autoFocus
        error={fieldError(failure, "name")}
      />
      <TextField
        id="email"
        label={t("email")}
        type="email"
        autoComplete="username"
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        error={fieldError(failure, "email")}
      />
      <NewPasswordField
        label={t("password")}
        email={email}
        error={fieldError(failure, "password")}
      />
    </OpenForm>
  );
}
