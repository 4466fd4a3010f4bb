import { readHistory } from "#lib/audit-log/data.ts";
import { historyQuery } from "#lib/audit-log/queries.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { can } from "#lib/auth/permissions.ts";
import { getPaidByHand } from "#lib/collection/by-hand/data.ts";
import { paidByHandQuery } from "#lib/collection/by-hand/queries.ts";
import { getSubscriptionPayments } from "#lib/payments/data.ts";
import { subscriptionPaymentsQuery } from "#lib/payments/queries.ts";
import { prefetchAll } from "#lib/query/prefetch.ts";
import type { Scope } from "#lib/scope.ts";
import { OPENED, type OpenedRecord } from "#lib/subscriptions/queries.ts";
import { getSubscription } from "#lib/subscriptions/record.ts";

export const GET = sellerRoute("subscriptions:read", (scope, request, { id }: RecordParams) =>
  new URL(request.url).searchParams.has(OPENED)
    ? readOpened(scope, id)
    : getSubscription(scope, id),
);

/** The record with what belongs to it; leaves out what the user may not see or what takes over a second. */
async function readOpened(scope: Scope, id: string): Promise<OpenedRecord> {
  const { role } = await requireSeller(scope, "subscriptions:read");
  const payments = {
    ...subscriptionPaymentsQuery(scope, id),
    queryFn: () => getSubscriptionPayments(scope, id),
  };
  const history = { ...historyQuery(scope, id), queryFn: () => readHistory(scope, id) };
  const byHand = { ...paidByHandQuery(scope, id), queryFn: () => getPaidByHand(scope, id) };
  const [record, { json: beside }] = await Promise.all([
    getSubscription(scope, id),
    prefetchAll<string>({
      payments,
      ...(can(role, "history:read") ? { history } : {}),
      ...(can(role, "payments:read") ? { byHand } : {}),
    }),
  ]);
  return { record, beside };
}
