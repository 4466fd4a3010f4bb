import { useTranslations } from "next-intl";
import { AuthFrame, AuthLink } from "#components/auth/auth-frame.tsx";
import { ForgotPasswordForm } from "#components/auth/forgot-password-form.tsx";
import { LifeBuoy } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { isMailConfigured } from "#lib/mail.ts";

export const generateMetadata = pageTitle("auth.forgotPassword.title");
const COMMAND = "npm run dashboard:admin -- reset-link";

// The text depends on the environment, which is unknown at build time.
export const dynamic = "force-dynamic";

export default function ForgotPasswordPage() {
  const t = useTranslations("auth");
  return (
    <AuthFrame
      title={t("forgotPassword.title")}
      footer={<AuthLink href="/sign-in">{t("backToSignIn")}</AuthLink>}
    >
      {isMailConfigured() ? (
        <ForgotPasswordForm />
      ) : (
        <Notice icon={LifeBuoy}>
          {t.rich("forgotPassword.noMail", {
            command: COMMAND,
            code: (text) => <code className="text-xs">{text}</code>,
          })}
        </Notice>
      )}
    </AuthFrame>
  );
}
