"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { passwordStrength } from "#lib/auth/rules.ts";
import { PasswordField } from "./password-field.tsx";

interface NewPasswordFieldProps {
  label: string;
  email: string;
  error: string | undefined;
}

/** A new-password field that shows the strength while typing. */
export function NewPasswordField({ label, email, error }: NewPasswordFieldProps) {
  const t = useTranslations("ui.password");
  const [password, setPassword] = useState("");
  return (
    <div>
      <PasswordField
        id="new-password"
        name="password"
        label={label}
        autoComplete="new-password"
        minLength={8}
        onChange={(event) => setPassword(event.target.value)}
        error={error}
        hint={password === "" ? t("rule") : t(`strength.${passwordStrength(password, email)}`)}
      />
    </div>
  );
}
