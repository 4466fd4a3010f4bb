import { Hourglass } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { notFound } from "next/navigation";
import { LanguageChoice } from "#components/auth/language-choice.tsx";
import { Card } from "#components/ui/card.tsx";
import { database } from "#lib/db/pool.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { findReturnPage, noteReturn } from "#lib/proofs/returning/data.ts";

export const generateMetadata = pageTitle("proofs.back.title");

interface ReturnedPageProps {
  params: Promise<{ token: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Open to everybody: buyers come back here from the checkout. It never says that anything is paid. */
export default async function ReturnedPage({ params, searchParams }: ReturnedPageProps) {
  const { token } = await params;
  const found = await findReturnPage(database(), token);
  if (!found) notFound();
  await noteReturn(database(), found.seller_id, (await searchParams)["subscription_id"]);
  const t = await getTranslations("proofs.back");
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-4 px-4 py-12">
      <Card className="w-full max-w-md p-6 text-center">
        <Hourglass aria-hidden className="mx-auto size-8 text-accent" />
        <h1 className="mt-3 text-xl font-semibold text-balance">{t("thanks")}</h1>
        <p className="mt-1 font-medium wrap-anywhere">{found.name}</p>
        <p className="mt-3 text-pretty text-muted">{t("text")}</p>
      </Card>
      <LanguageChoice />
    </main>
  );
}
