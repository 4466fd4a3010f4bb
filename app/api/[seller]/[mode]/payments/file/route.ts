import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { exportPayments } from "#lib/payments/data.ts";
import { parsePaymentFileFormat, parsePaymentSearch } from "#lib/payments/search.ts";

export const GET = sellerRoute("payments:export", (scope, request) => {
  const { searchParams } = new URL(request.url);
  return exportPayments(
    scope,
    parsePaymentSearch(searchParams),
    parsePaymentFileFormat(searchParams),
  );
});
