import { BillSettingsCard } from "#components/payments/accounts/bill-settings.tsx";
import { PayAccountSettings } from "#components/payments/accounts/account-settings.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listPayAccounts } from "#lib/payments/accounts/data.ts";
import { getBillSettings } from "#lib/payments/bills/data.ts";

export const generateMetadata = pageTitle("payAccounts.title");

export default async function PayAccountsPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "connection:read");
  const [accounts, bills] = await Promise.all([listPayAccounts(scope), getBillSettings(scope)]);
  return (
    <ClientMessages of="settings/payments">
      <PayAccountSettings result={accounts} />
      {!("failure" in accounts) && <BillSettingsCard result={bills} />}
    </ClientMessages>
  );
}
