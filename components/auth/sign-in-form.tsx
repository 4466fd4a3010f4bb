import { useTranslations } from "next-intl";
import { PasswordField } from "#components/ui/forms/password-field.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { AuthLink } from "./auth-link.tsx";
import { CredentialsForm, type CredentialsProps } from "./credentials-form.tsx";

export function SignInForm(props: CredentialsProps) {
  const t = useTranslations("auth");
  return (
    <CredentialsForm
      {...props}
      action="/api/auth/callback/credentials"
      label={t("signIn.submit")}
      footer={
        <p className="-mt-1 text-center text-sm">
          <AuthLink href="/forgot-password">{t("signIn.forgot")}</AuthLink>
        </p>
      }
    >
      <TextField
        id="email"
        name="email"
        label={t("email")}
        type="email"
        autoComplete="username"
        required
        autoFocus
      />
      <PasswordField
        id="password"
        name="password"
        label={t("password")}
        autoComplete="current-password"
      />
    </CredentialsForm>
  );
}
