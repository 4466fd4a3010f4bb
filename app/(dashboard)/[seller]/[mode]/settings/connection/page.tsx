import { SearchIndexCard } from "#components/connection/search-index-card.tsx";
import { ConnectionSettings } from "#components/connection/connection-settings.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { getConnectionDetails } from "#lib/connection/data.ts";
import { OPENING_PROBLEMS } from "#lib/billing/opening-problem.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getComparisons, getIndexSettings } from "#lib/search-index/data.ts";

export const generateMetadata = pageTitle("connection.title");

export default async function ConnectionPage({ params, searchParams }: SellerPageProps) {
  const { scope } = await sellerPage(params, "connection:read");
  const [details, index, comparisons] = await Promise.all([
    getConnectionDetails(scope),
    getIndexSettings(scope),
    getComparisons(scope),
  ]);
  const { opening } = await searchParams;
  const openingProblem = OPENING_PROBLEMS.find((problem) => problem === opening) ?? null;
  return (
    <>
      <ConnectionSettings details={details} openingProblem={openingProblem} />
      {details.last4 !== null && (
        <SearchIndexCard key={details.set_at} initial={index} comparisons={comparisons} />
      )}
    </>
  );
}
