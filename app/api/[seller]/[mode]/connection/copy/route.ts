import { sellerRoute } from "#lib/auth/seller-route.ts";
import { getCopySettings } from "#lib/mirror/settings.ts";

export const GET = sellerRoute("connection:read", getCopySettings);
