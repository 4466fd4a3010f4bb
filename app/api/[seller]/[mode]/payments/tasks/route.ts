import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getMoneyTasks } from "#lib/collection/by-hand/data.ts";

export const GET = sellerRoute("payments:read", (scope) => getMoneyTasks(scope));
