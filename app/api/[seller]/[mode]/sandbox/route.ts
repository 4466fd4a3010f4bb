import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getSandbox } from "#lib/sandbox/data.ts";

export const GET = sellerRoute("sandbox:read", getSandbox);
