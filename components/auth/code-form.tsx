import { useTranslations } from "next-intl";
import { TextField } from "#components/ui/forms/fields.tsx";
import { CredentialsForm, type CredentialsProps } from "./credentials-form.tsx";

/** The second step of signing in: an app code or a recovery code. */
export function CodeForm({ error, ...props }: CredentialsProps) {
  const t = useTranslations("auth.code");
  return (
    <CredentialsForm
      {...props}
      action="/api/auth/callback/code"
      error={error === "CredentialsSignin" ? "Code" : error}
      refusal="Code"
      label={t("submit")}
    >
      <TextField
        id="code"
        name="code"
        label={t("label")}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        required
        autoFocus
      />
    </CredentialsForm>
  );
}
