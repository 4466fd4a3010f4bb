import { CookieIcon } from "lucide-react";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SignInForm } from "#components/auth/sign-in-form.tsx";
import { Logo } from "#components/layout/logo.tsx";
import { Card } from "#components/ui/card.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { safeCallbackPath } from "#lib/auth/callback-path.ts";
import { readCsrfToken } from "#lib/auth/cookies.ts";
import { currentSession } from "#lib/auth/require-seller.ts";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { callbackUrl, ready, error } = await searchParams;
  const callbackPath = safeCallbackPath(callbackUrl);
  if (await currentSession()) redirect(callbackPath);
  const csrfToken = await readCsrfToken();
  // A page cannot set a cookie: next-auth does, and sends back here.
  if (csrfToken === null && ready === undefined) {
    redirect(`/api/auth/signin?${new URLSearchParams({ callbackUrl: callbackPath })}`);
  }
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-12">
      <Logo />
      <Card className="mt-6 w-full max-w-sm p-6">
        <h1 className="mb-5 text-lg font-semibold">Sign in</h1>
        {csrfToken === null ? (
          <Notice look="warning" icon={CookieIcon} role="alert">
            This browser keeps no cookies for this site. Allow them, then load the page again.
          </Notice>
        ) : (
          <SignInForm
            csrfToken={csrfToken}
            callbackPath={callbackPath}
            error={typeof error === "string" ? error : null}
          />
        )}
      </Card>
    </main>
  );
}
