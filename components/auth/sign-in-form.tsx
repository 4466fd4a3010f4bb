import { useTranslations } from "next-intl";
import { PasswordField } from "#components/ui/forms/password-field.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { Button } from "#components/ui/button.tsx";
import { AuthLink } from "./auth-frame.tsx";
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

interface ProviderButtonProps {
  name: string;
  csrfToken: string;
  callbackPath: string;
}

/** A native form: next-auth redirects to the provider. */
export function ProviderButton({ name, csrfToken, callbackPath }: ProviderButtonProps) {
  const t = useTranslations("auth.signIn");
  return (
    <form method="post" action="/api/auth/signin/oidc" className="mt-4 grid border-t pt-4">
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="callbackUrl" value={callbackPath} />
      <Button type="submit" className="h-9 max-w-full">
        <span className="truncate">{t("withProvider", { name })}</span>
      </Button>
    </form>
  );
}
