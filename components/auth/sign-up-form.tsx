"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { fieldText, useActionForm } from "#components/forms/use-action.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { signUpAction } from "#lib/auth/actions.ts";
import { NewPasswordField } from "#components/ui/forms/new-password-field.tsx";
import { OpenForm } from "./open-form.tsx";

export function SignUpForm({ callbackPath }: { callbackPath: string }) {
  const t = useTranslations("auth");
  const [isLeaving, setLeaving] = useState(false);
  // Used only to rate the password; what is typed before hydration stays in the field.
  const [email, setEmail] = useState("");
  const { form, isPending, failure, error } = useActionForm(signUpAction, {
    read: (fields) => ({
      name: fieldText(fields, "name"),
      email: fieldText(fields, "email"),
      password: fieldText(fields, "password"),
      callbackPath,
    }),
    onDone: ({ path }) => {
      setLeaving(true);
      window.location.assign(path);
    },
  });

  return (
    <OpenForm
      label={t("signUp.submit")}
      failure={failure}
      isPending={isPending || isLeaving}
      form={form}
    >
      <TextField
        id="name"
        name="name"
        label={t("signUp.name")}
        autoComplete="name"
        required
        autoFocus
        error={error("name")}
      />
      <TextField
        id="email"
        name="email"
        label={t("email")}
        type="email"
        autoComplete="username"
        required
        onChange={(event) => setEmail(event.target.value)}
        error={error("email")}
      />
      <NewPasswordField label={t("password")} email={email} error={error("password")} />
    </OpenForm>
  );
}
