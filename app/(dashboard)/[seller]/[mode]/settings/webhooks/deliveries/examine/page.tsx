import { ExaminePage } from "#components/deliveries/examine/examine-page.tsx";
import { VerifySnippets } from "#components/webhooks/shown-secrets.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { parseExamineSearch } from "#lib/deliveries/search.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("examine.title");

export default async function ExamineDeliveryPage({ params, searchParams }: SellerPageProps) {
  await sellerPage(params, "webhooks:read");
  const search = parseExamineSearch(await searchParams);
  return (
    <ExaminePage key={JSON.stringify(search)} search={search} snippets={<VerifySnippets />} />
  );
}
