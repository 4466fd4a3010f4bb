import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { askForConnection } from "#lib/connection/data.ts";

export const GET = sellerRoute("dashboard:open", askForConnection);
