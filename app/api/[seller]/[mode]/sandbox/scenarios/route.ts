import { sellerRoute } from "#lib/auth/seller-route.ts";
import { listScenarios } from "#lib/sandbox/data.ts";

export const GET = sellerRoute("sandbox:read", listScenarios);
