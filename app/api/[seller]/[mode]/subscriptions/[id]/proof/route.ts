import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getSubscriptionProofs } from "#lib/proofs/data.ts";

export const GET = sellerRoute("subscriptions:read", (scope, _request, { id }: RecordParams) =>
  getSubscriptionProofs(scope, id),
);
