import { PaymentList } from "#components/payments/payment-list.tsx";
import { can } from "#lib/auth/permissions.ts";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { listPayments } from "#lib/payments/data.ts";
import { parsePaymentSearch } from "#lib/payments/search.ts";
import { countMoneyToCheck } from "#lib/payments/tasks/data.ts";

export const generateMetadata = pageTitle("payments.title");

export default async function PaymentsPage({ params, searchParams }: SellerPageProps) {
  const { scope, role } = await sellerPage(params, "payments:read");
  const search = parsePaymentSearch(await searchParams);
  const [page, toCheck] = await Promise.all([
    listPayments(scope, search),
    countMoneyToCheck(scope),
  ]);
  const mayExport = can(role, "payments:export");
  return <PaymentList {...{ scope, search, page, mayExport, toCheck }} />;
}
