import { getTranslations } from "next-intl/server";
import { AuthFrame, AuthLink } from "#components/auth/auth-frame.tsx";
import { ResetPasswordForm } from "#components/auth/reset-password-form.tsx";
import { Unlink } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { isResetOpen } from "#lib/auth/credentials/password-reset.ts";
import { database } from "#lib/db/pool.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("auth.resetPassword.title");

/** The page to set a new password. It needs no session, only a valid link. */
export default async function ResetPasswordPage({
  params,
}: {
  params: Promise<{ token: string }>;
}) {
  const { token } = await params;
  const t = await getTranslations("auth");
  const isOpen = await isResetOpen(database(), token);
  return (
    <AuthFrame
      title={t("resetPassword.title")}
      text={isOpen && t("resetPassword.text")}
      footer={<AuthLink href="/sign-in">{t("backToSignIn")}</AuthLink>}
    >
      {isOpen ? (
        <ResetPasswordForm token={token} />
      ) : (
        <Notice look="warning" icon={Unlink}>
          {t.rich("resetPassword.over", {
            link: (text) => <AuthLink href="/forgot-password">{text}</AuthLink>,
          })}
        </Notice>
      )}
    </AuthFrame>
  );
}
