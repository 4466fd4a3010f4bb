import { getTranslations } from "next-intl/server";
import { redirect } from "next/navigation";
import { AuthFrame, AuthLink } from "#components/auth/auth-frame.tsx";
import { SignUpForm } from "#components/auth/sign-up-form.tsx";
import { MailOpen } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { safeCallbackPath } from "#lib/auth/sign-in/callback-path.ts";
import { canSignUp } from "#lib/auth/sign-in/sign-up.ts";
import { currentSession } from "#lib/auth/guards/require-seller.ts";
import { database } from "#lib/db/pool.ts";
import { billingUrl } from "#lib/env.ts";
import type { SearchParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("auth.signUp.title");

export default async function SignUpPage({ searchParams }: { searchParams: SearchParams }) {
  const t = await getTranslations("auth.signUp");
  const callbackPath = safeCallbackPath((await searchParams)["callbackUrl"]);
  if (await currentSession()) redirect(callbackPath);
  const query = new URLSearchParams({ callbackUrl: callbackPath }).toString();
  return (
    <AuthFrame
      title={t("title")}
      text={billingUrl("live") === null && t("noLivePayments")}
      footer={t.rich("hasAccount", {
        link: (text) => <AuthLink href={`/sign-in?${query}`}>{text}</AuthLink>,
      })}
    >
      {(await canSignUp(database(), callbackPath)) ? (
        <SignUpForm callbackPath={callbackPath} />
      ) : (
        <Notice icon={MailOpen}>{t("byInvitation")}</Notice>
      )}
    </AuthFrame>
  );
}
