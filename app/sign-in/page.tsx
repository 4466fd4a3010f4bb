import { getTranslations } from "next-intl/server";
import { redirect } from "next/navigation";
import { AuthFrame, AuthLink } from "#components/auth/auth-frame.tsx";
import { CodeForm, ProviderButton, SignInForm } from "#components/auth/sign-in-form.tsx";
import { CircleCheck, CookieIcon } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { safeCallbackPath } from "#lib/auth/sign-in/callback-path.ts";
import { currentVisit, readCsrfToken } from "#lib/auth/sessions/cookies.ts";
import { oidcName } from "#lib/auth/sign-in/oidc.ts";
import { canSignUp } from "#lib/auth/sign-in/sign-up.ts";
import { currentSession } from "#lib/auth/guards/require-seller.ts";
import { findChallengedPerson } from "#lib/auth/sign-in/sign-in-code.ts";
import { database } from "#lib/db/pool.ts";
import type { SearchParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("auth.signIn.title");

export default async function SignInPage({ searchParams }: { searchParams: SearchParams }) {
  const { callbackUrl, ready, error, reset, step } = await searchParams;
  const t = await getTranslations("auth");
  const callbackPath = safeCallbackPath(callbackUrl);
  if (await currentSession()) redirect(callbackPath);
  const csrfToken = await readCsrfToken();
  // A page cannot set a cookie: next-auth sets it and redirects back.
  if (csrfToken === null && ready === undefined) {
    redirect(`/api/auth/signin?${new URLSearchParams({ callbackUrl: callbackPath })}`);
  }
  if (csrfToken === null)
    return (
      <AuthFrame title={t("signIn.title")}>
        <Notice look="warning" icon={CookieIcon} role="alert">
          {t("signIn.noCookies")}
        </Notice>
      </AuthFrame>
    );
  const form = {
    csrfToken,
    callbackPath,
    error: typeof error === "string" && error !== "SecondFactor" ? error : null,
  };
  const query = new URLSearchParams({ callbackUrl: callbackPath }).toString();
  const { challenge } = await currentVisit();
  if (step !== "password" && (await findChallengedPerson(database(), challenge)) !== null)
    return (
      <AuthFrame
        title={t("code.title")}
        text={t("code.text")}
        footer={
          <AuthLink href={`/sign-in?step=password&${query}`}>{t("code.beginAgain")}</AuthLink>
        }
      >
        <CodeForm {...form} />
      </AuthFrame>
    );
  const provider = oidcName();
  return (
    <AuthFrame
      title={t("signIn.title")}
      footer={
        (await canSignUp(database(), callbackPath)) &&
        t.rich("signIn.noAccount", {
          link: (text) => <AuthLink href={`/sign-up?${query}`}>{text}</AuthLink>,
        })
      }
    >
      {reset === "done" && (
        <Notice icon={CircleCheck} role="status" className="mb-4">
          {t("signIn.passwordIsSet")}
        </Notice>
      )}
      <SignInForm {...form} />
      {provider !== null && <ProviderButton name={provider} {...form} />}
    </AuthFrame>
  );
}
