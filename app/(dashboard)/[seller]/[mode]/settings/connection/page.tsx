import { CopyCard } from "#components/connection/copy-card.tsx";
import { ConnectionSettings } from "#components/connection/connection-settings.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { getConnectionDetails } from "#lib/connection/data.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getIndexSettings } from "#lib/search-index/data.ts";

export const generateMetadata = pageTitle("connection.title");

export default async function ConnectionPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "connection:read");
  const [details, copy] = await Promise.all([
    getConnectionDetails(scope),
    getIndexSettings(scope),
  ]);
  return (
    <>
      <ConnectionSettings details={details} />
      {details.last4 !== null && <CopyCard key={details.set_at} initial={copy} />}
    </>
  );
}
