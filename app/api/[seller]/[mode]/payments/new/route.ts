import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getNewPayments } from "#lib/payments/data.ts";
import { parseNewestId, parsePaymentSearch } from "#lib/payments/search.ts";

export const GET = sellerRoute("payments:read", (scope, request) => {
  const { searchParams } = new URL(request.url);
  return getNewPayments(scope, parsePaymentSearch(searchParams), parseNewestId(searchParams));
});
