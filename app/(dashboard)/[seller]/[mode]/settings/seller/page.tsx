import { getLocale } from "next-intl/server";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { SellerSettings } from "#components/sellers/seller-settings.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getReturnPage } from "#lib/payments/data.ts";
import { currencies, timeZones } from "#lib/sellers/rules.ts";

export const generateMetadata = pageTitle("sellers.title");

export default async function SellerSettingsPage({ params }: { params: ScopeParams }) {
  const { seller, scope } = await sellerPage(params, "seller:write");
  const { code, name, time_zone, currency, amount_style, return_url } = seller;
  return (
    <ClientMessages of="settings/seller">
      <SellerSettings
        seller={{ code, name, time_zone, currency, amount_style, return_url }}
        ownPage={await getReturnPage(scope, "seller:write")}
        zones={timeZones()}
        currencies={currencies(await getLocale())}
      />
    </ClientMessages>
  );
}
