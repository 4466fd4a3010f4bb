import { ConnectionSettings } from "#components/connection/connection-settings.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/seller-page.ts";
import { getConnectionDetails } from "#lib/connection/data.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("connection.title");

export default async function ConnectionPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "connection:read");
  return <ConnectionSettings details={await getConnectionDetails(scope)} />;
}
