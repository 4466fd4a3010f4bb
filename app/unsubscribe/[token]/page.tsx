import { getTranslations } from "next-intl/server";
import { LanguageChoice } from "#components/auth/language-choice.tsx";
import { Logo } from "#components/shell/navigation/logo.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Card } from "#components/ui/card.tsx";
import type { SearchParams } from "#lib/auth/guards/seller-page.ts";
import { database } from "#lib/db/pool.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { readSettingSeller } from "#lib/notifications/store.ts";
import { readUnsubscribeToken } from "#lib/notifications/unsubscribe.ts";

export const generateMetadata = pageTitle("notices.stop.title");

/** The page of the link in a mail that stops mails of this kind. It needs no session and no script. */
export default async function UnsubscribePage({
  params,
  searchParams,
}: {
  params: Promise<{ token: string }>;
  searchParams: SearchParams;
}) {
  const { token } = await params;
  const { done } = await searchParams;
  const t = await getTranslations("notices");
  const meant = readUnsubscribeToken(token);
  const setting = meant && (await readSettingSeller(database(), meant.setting_id));
  const words = { kind: meant ? t(`kinds.${meant.kind}`) : "", seller: setting?.seller ?? "" };
  const state = setting === null ? "ended" : done === undefined ? "ask" : "done";
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-4 px-4 py-12">
      <Logo />
      <Card className="w-full max-w-md p-6 text-center">
        <h1 className="text-xl font-semibold text-balance">
          {t(state === "ask" ? "stop.title" : `stop.${state}`)}
        </h1>
        <p role="status" className="mt-3 text-pretty wrap-anywhere text-muted">
          {t(state === "ask" ? "stop.ask" : `stop.${state}Text`, words)}
        </p>
        {state === "ask" && (
          <form method="post" action={`/api/unsubscribe/${token}?page=yes`} className="mt-5">
            <button type="submit" className={buttonClass("primary")}>
              {t("stop.button")}
            </button>
          </form>
        )}
      </Card>
      <LanguageChoice />
    </main>
  );
}
