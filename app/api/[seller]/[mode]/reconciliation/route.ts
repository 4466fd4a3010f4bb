import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getReconciliation } from "#lib/reconciliation/data.ts";

export const GET = sellerRoute("connection:read", getReconciliation);
