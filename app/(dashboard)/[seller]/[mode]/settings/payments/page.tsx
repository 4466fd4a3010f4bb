import { PayAccountSettings } from "#components/payments/accounts/account-settings.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listPayAccounts } from "#lib/payments/accounts/data.ts";

export const generateMetadata = pageTitle("payAccounts.title");

export default async function PayAccountsPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "connection:read");
  return (
    <ClientMessages of="settings/payments">
      <PayAccountSettings result={await listPayAccounts(scope)} />
    </ClientMessages>
  );
}
