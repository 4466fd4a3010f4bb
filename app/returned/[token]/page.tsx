import { getTranslations } from "next-intl/server";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { LanguageChoice } from "#components/auth/language-choice.tsx";
import { PaymentRefresh } from "#components/payments/payment-refresh.tsx";
import { Card } from "#components/ui/card.tsx";
import { CircleCheck } from "#components/ui/icons.tsx";
import { clientAddress } from "#lib/auth/origin.ts";
import { database } from "#lib/db/pool.ts";
import type { SearchParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { answerReturnPage } from "#lib/payments/buyer-returns.ts";
import { isDateFromPayment } from "#lib/subscriptions/date-source.ts";

export const generateMetadata = pageTitle("payments.back.title");

/**
 * The page to which buyers return from the checkout. It needs no session, and shows only the seller's
 * name and whether the payment arrived.
 */
export default async function ReturnedPage({
  params,
  searchParams,
}: {
  params: Promise<{ token: string }>;
  searchParams: SearchParams;
}) {
  const { token } = await params;
  const { subscription_id } = await searchParams;
  const address = clientAddress(await headers());
  const asked = { token, subscription_id, address };
  const answer = await answerReturnPage(database(), isDateFromPayment, asked);
  if (!answer) notFound();
  const { name, paid } = answer;
  const t = await getTranslations("payments.back");
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center gap-4 px-4 py-12">
      <Card className="w-full max-w-md p-6 text-center">
        {paid && <CircleCheck aria-hidden className="mx-auto mb-3 size-8 text-active" />}
        <h1 className="text-xl font-semibold text-balance">{t(paid ? "paid" : "thanks")}</h1>
        {name && <p className="mt-1 font-medium wrap-anywhere">{name}</p>}
        <p role="status" className="mt-3 text-pretty text-muted">
          {t(paid ? "paidText" : "text")}
        </p>
      </Card>
      {!paid && subscription_id !== undefined && <PaymentRefresh />}
      <LanguageChoice />
    </main>
  );
}
