import { sellerRoute } from "#lib/auth/seller-route.ts";
import { askForConnection } from "#lib/connection/data.ts";

export const GET = sellerRoute("dashboard:open", askForConnection);
