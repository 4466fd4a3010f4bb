import "server-only";
import { can } from "#lib/auth/permissions.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { readFromReplica } from "#lib/db/replica.ts";
import type { Paging } from "#lib/list-answer.ts";
import { type Facet, readFacets } from "#lib/search-index/query/conditions.ts";
import {
  type IndexAnswer,
  listFromApiOrIndex,
  searchCustomers,
  searchIndexedProducts,
} from "#lib/search-index/query/search-records.ts";
import {
  readCounts,
  searchSubscriptions,
  type SubscriptionCounts,
} from "#lib/search-index/query/subscription-query.ts";
import { readColumns, type SubscriptionColumn } from "#lib/subscriptions/columns.ts";
import type { FoundRecords, SubscriptionList } from "./queries.ts";
import { ALL_SUBSCRIPTIONS, isSupportedByApi, type SubscriptionSearch } from "./search.ts";

/** @param text search text; empty for none */
export async function listSubscriptions(
  scope: Scope,
  search: SubscriptionSearch,
  text: string,
): Promise<SubscriptionList> {
  const { billing, owner, seller } = await requireSeller(scope, "subscriptions:read");
  const { status, page, page_size } = search;
  const { page: api, ...answer } = await listFromApiOrIndex({
    isSupportedByApi: text === "" && isSupportedByApi(search),
    readApi: () => billing.listSubscriptions({ status, page, page_size }),
    readIndex: (pool) =>
      searchSubscriptions(pool, owner, { search, words: text, time_zone: seller.time_zone }),
  });
  return {
    ...answer,
    results: answer.results.map(({ client: { phone, full_name }, ...row }) => ({
      ...row,
      client: { phone, full_name },
    })),
    total_subscriptions: api?.total_subscriptions ?? null,
    active_subscriptions: api?.active_subscriptions ?? null,
    due_subscriptions: api?.due_subscriptions ?? null,
    inactive_subscriptions: api?.inactive_subscriptions ?? null,
  };
}

export async function getCounts(scope: Scope): Promise<{ counts: SubscriptionCounts | null }> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  return { counts: await readCounts(database(), owner) };
}

export async function listFacets(scope: Scope): Promise<Facet[]> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  return readFromReplica((pool) => readFacets(pool, owner));
}

const PALETTE_PAGE: Paging = { page: 1, page_size: 5 };

/**
 * The best matches of each kind that the user may see, for the command palette; empty until the index
 * is complete.
 */
export async function searchRecords(scope: Scope, text: string): Promise<FoundRecords> {
  const { owner, role, seller } = await requireSeller(scope, "subscriptions:read");
  const search = { ...ALL_SUBSCRIPTIONS, ...PALETTE_PAGE };
  const [subscriptions, customers, products] = await readFromReplica((pool) =>
    Promise.all([
      searchSubscriptions(pool, owner, { search, words: text, time_zone: seller.time_zone }),
      can(role, "customers:read") ? searchCustomers(pool, owner, text, PALETTE_PAGE) : null,
      can(role, "products:read")
        ? searchIndexedProducts(pool, owner, text, PALETTE_PAGE)
        : null,
    ]),
  );
  return {
    subscriptions: exactRows(subscriptions),
    customers: exactRows(customers),
    products: exactRows(products),
  };
}

const exactRows = <Row>(answer: IndexAnswer<Row> | null): Row[] =>
  answer?.state === "ready" && !answer.is_near ? answer.results : [];

const LIST = "subscriptions";

export async function getColumns(scope: Scope): Promise<SubscriptionColumn[]> {
  const { user } = await requireSeller(scope, "subscriptions:read");
  return selectColumns(database(), user.id);
}

export async function selectColumns(
  db: Database,
  user_id: string,
): Promise<SubscriptionColumn[]> {
  const { rows } = await db.query<{ shown: string[] }>(
    "select shown from list_columns where user_id = $1 and list = $2",
    [user_id, LIST],
  );
  return readColumns(rows[0]?.shown ?? null);
}

/** @param shown null for the default, which may change in a later version */
export async function saveColumns(
  db: Database,
  user_id: string,
  shown: SubscriptionColumn[] | null,
): Promise<void> {
  if (shown === null)
    await db.query("delete from list_columns where user_id = $1 and list = $2", [
      user_id,
      LIST,
    ]);
  else
    await db.query(
      `insert into list_columns (user_id, list, shown) values ($1, $2, $3)
       on conflict (user_id, list) do update set shown = excluded.shown`,
      [user_id, LIST, shown],
    );
}
