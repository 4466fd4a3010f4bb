import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getSubscription } from "#lib/subscriptions/record.ts";

export const GET = sellerRoute("subscriptions:read", (scope, _request, { id }: RecordParams) =>
  getSubscription(scope, id),
);
