import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { recheckConnection } from "#lib/connection/data.ts";

export const GET = sellerRoute("dashboard:open", recheckConnection);
