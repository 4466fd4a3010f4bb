import { MAX_PAGE_SIZE } from "#contract/pagination.ts";
import type { Scope } from "#lib/scope.ts";
import type { RecordParams } from "#lib/auth/guards/seller-page.ts";
import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { listSubscriptionsOf } from "#lib/customers/data.ts";
import type { FoundSubscriptions } from "#lib/customers/queries.ts";
import { parseCustomerSearch } from "#lib/customers/search.ts";
import { listCustomerSubscriptions } from "#lib/subscriptions/data.ts";

export const GET = sellerRoute(
  "subscriptions:read",
  async (scope, request, { id }: RecordParams) => {
    const { page } = parseCustomerSearch(new URL(request.url).searchParams);
    return (await readCopied(scope, id, page)) ?? listSubscriptionsOf(scope, id, page);
  },
);

async function readCopied(
  scope: Scope,
  id: string,
  page: number,
): Promise<FoundSubscriptions | null> {
  const found = await listCustomerSubscriptions(scope, id, { page, page_size: MAX_PAGE_SIZE });
  if (!found) return null;
  const { results, count, has_next, as_of, age_s } = found;
  return {
    subscriptions: results,
    searched: count,
    total: count,
    next_page: has_next ? page + 1 : null,
    copy: { as_of, age_s },
  };
}
