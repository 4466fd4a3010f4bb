import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listScenarios } from "#lib/sandbox/data.ts";

export const GET = sellerRoute("sandbox:read", listScenarios);
