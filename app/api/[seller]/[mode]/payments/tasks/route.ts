import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { getMoneyTasks, getOlderRequests } from "#lib/collection/by-hand/data.ts";
import { parseTasksBefore } from "#lib/collection/by-hand/queries.ts";

export const GET = sellerRoute("payments:read", async (scope, request) => {
  const before = parseTasksBefore(new URL(request.url).searchParams);
  return before === null ? getMoneyTasks(scope) : getOlderRequests(scope, before);
});
