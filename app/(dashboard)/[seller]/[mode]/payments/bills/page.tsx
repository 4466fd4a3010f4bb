import { getLocale, getTranslations } from "next-intl/server";
import { BillList } from "#components/payments/bills/bill-list.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { can } from "#lib/auth/permissions.ts";
import { makeFormat } from "#lib/format/format.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listBills } from "#lib/payments/bills/data.ts";
import { parseBillSearch } from "#lib/payments/bills/search.ts";

export const generateMetadata = pageTitle("bills.list.title");

export default async function BillsPage({ params, searchParams }: SellerPageProps) {
  const { scope, role, seller, now } = await sellerPage(params, "payments:read");
  const search = parseBillSearch(await searchParams);
  const result = await listBills(scope, search);
  const format = makeFormat(await getTranslations("format"), {
    ...seller,
    now,
    language: await getLocale(),
  });
  return (
    <BillList
      {...{ scope, search, result, format }}
      time_zone={seller.time_zone}
      mayExport={can(role, "payments:export")}
    />
  );
}
