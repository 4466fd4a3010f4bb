import { getLocale } from "next-intl/server";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { BuyersPageCard } from "#components/sellers/buyers-page-card.tsx";
import { SellerSettings } from "#components/sellers/seller-settings.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getReturnPage } from "#lib/payments/data.ts";
import { getAccountSettings } from "#lib/sellers/account-settings.ts";
import { currencies, timeZones } from "#lib/sellers/rules.ts";

export const generateMetadata = pageTitle("sellers.title");

export default async function SellerSettingsPage({ params }: { params: ScopeParams }) {
  const { seller, scope } = await sellerPage(params, "seller:write");
  const { code, amount_style, leave_reasons, needs_leave_reason } = seller;
  const account = await getAccountSettings(scope);
  if (account && "failure" in account)
    return (
      <ClientMessages of="settings/seller">
        <RefreshFailure failure={account.failure} />
      </ClientMessages>
    );
  const profile = account && account.profile;
  const { name, time_zone, currency, return_url } = profile ?? seller;
  const leaving = { leave_reasons, needs_leave_reason };
  const own = { code, name, time_zone, currency, amount_style, return_url, ...leaving };
  return (
    <ClientMessages of="settings/seller">
      <SellerSettings
        seller={own}
        account={profile}
        ownPage={await getReturnPage(scope, "seller:write")}
        zones={timeZones()}
        currencies={currencies(await getLocale())}
      />
      {profile?.buyers_page && <BuyersPageCard address={profile.buyers_page} />}
    </ClientMessages>
  );
}
