import { Reconciliation } from "#components/connection/compare/compare-panel.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getReconciliation } from "#lib/search-index/compare/store.ts";

export const generateMetadata = pageTitle("reconciliation.title");

export default async function ReconciliationPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "connection:read");
  return <Reconciliation initial={await getReconciliation(scope)} />;
}
