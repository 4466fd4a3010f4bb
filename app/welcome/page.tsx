import Link from "next/link";
import { getLocale, getTranslations } from "next-intl/server";
import { Logo } from "#components/shell/navigation/logo.tsx";
import { SignOutButton } from "#components/shell/navigation/user-menu.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { WelcomeForm } from "#components/sellers/welcome-form.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Card } from "#components/ui/card.tsx";
import { personPage } from "#lib/auth/guards/seller-page.ts";
import { listMemberships } from "#lib/auth/sessions/session.ts";
import { database } from "#lib/db/pool.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { currencies, timeZones } from "#lib/sellers/rules.ts";

export const generateMetadata = pageTitle("sellers.welcome.title");

export default async function WelcomePage() {
  const t = await getTranslations("sellers.welcome");
  const { user } = await personPage();
  const isFirst = (await listMemberships(database(), user.id)).length === 0;
  return (
    <ClientMessages of="welcome">
      <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-12">
        <Logo />
        <Card className="mt-6 w-full max-w-lg p-6">
          <h1 className="text-lg font-semibold">{isFirst ? t("first.title") : t("title")}</h1>
          <p className="mt-1 mb-5 text-muted">{isFirst ? t("first.text") : t("text")}</p>
          <WelcomeForm zones={timeZones()} currencies={currencies(await getLocale())} />
        </Card>
        <div className="mt-4 flex w-full max-w-lg flex-wrap items-center justify-between gap-2 text-sm text-muted">
          <p className="min-w-0 px-1">
            {isFirst ? t("first.invited") : t("signedInAs", { email: user.email })}
          </p>
          {isFirst ? (
            <div className="max-sm:-ml-3 md:-mr-2">
              <SignOutButton />
            </div>
          ) : (
            <Link
              prefetch={false}
              href="/"
              className={buttonClass("quiet", "max-sm:-ml-3 md:-mr-2")}
            >
              {t("back")}
            </Link>
          )}
        </div>
      </main>
    </ClientMessages>
  );
}
