import { sellerRoute } from "#lib/auth/seller-route.ts";
import { listStates } from "#lib/sandbox/data.ts";

export const GET = sellerRoute("sandbox:read", listStates);
