import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getSubscriptionPayments } from "#lib/payments/data.ts";

export const GET = sellerRoute("subscriptions:read", (scope, _request, { id }: RecordParams) =>
  getSubscriptionPayments(scope, id),
);
