import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Failure, FailureKind } from "#lib/failure.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import type { ListName } from "#lib/billing/observe.ts";
import { INDEXED_LISTS, LISTS_IN_FILL_ORDER } from "#lib/search-index/records/lists.ts";
import type { IndexSettings, ListProgress } from "#lib/search-index/queries.ts";
import { selectComparisons } from "#lib/search-index/compare/store.ts";
import type { Comparisons } from "./compare/differences.ts";

export async function getIndexSettings(scope: Scope): Promise<IndexSettings> {
  const { owner } = await requireSeller(scope, "connection:read");
  return readIndexSettings(database(), owner, env().NEXTAUTH_URL);
}

interface Row {
  is_filled: boolean;
  read_at: Date | null;
  error: FailureKind | null;
  wait: number | null;
  receiver_token: string;
  is_followed: boolean;
  rounds: ListProgress[];
}

export async function readIndexSettings(
  db: Database,
  { seller_id, mode }: KeyOwner,
  baseUrl: string,
): Promise<IndexSettings> {
  const { rows } = await db.query<Row>(
    `select filled_at is not null as is_filled, read_at, error,
            feed_cursor is not null and filled_at is not null as is_followed,
            (select token from receiver r where r.seller_id = m.seller_id and r.mode = m.mode)
              as receiver_token,
            ceil(extract(epoch from wait_until - now()))::int as wait,
            (select coalesce(json_agg(json_build_object('list', list, 'read', rows_read,
                      'total', total, 'is_syncing', ended_at is null)), '[]')
               from mirror_round r where r.seller_id = m.seller_id and r.mode = m.mode) as rounds
       from mirror m where seller_id = $1 and mode = $2`,
    [seller_id, mode],
  );
  const [row] = rows;
  if (!row)
    return {
      state: "waiting",
      read_at: null,
      lists: [],
      failure: null,
      hint_url: null,
      is_followed: false,
    };
  const { is_filled, read_at, error, wait, receiver_token, is_followed } = row;
  // While a feed is followed, the counts of the last full sync are long out of date.
  const rounds = is_followed
    ? await countFollowed(db, row.rounds, [seller_id, mode])
    : row.rounds;
  return {
    state: is_filled ? "ready" : rounds.length > 0 ? "filling" : "waiting",
    read_at: read_at?.toISOString() ?? null,
    lists: LISTS_IN_FILL_ORDER.map(
      (list) => rounds.find((one) => one.list === list) ?? unread(list),
    ),
    failure: error && failureOfKind(error, wait),
    is_followed,
    hint_url: new URL(`/api/received/${receiver_token}`, baseUrl).href,
  };
}

async function countFollowed(
  db: Database,
  rounds: ListProgress[],
  owner: unknown[],
): Promise<ListProgress[]> {
  return Promise.all(
    rounds.map(async (round) => {
      if (round.is_syncing) return round;
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::int as count from ${INDEXED_LISTS[round.list].table}
          where seller_id = $1 and mode = $2`,
        owner,
      );
      const count = rows[0]?.count ?? 0;
      return { ...round, read: count, total: count };
    }),
  );
}

const unread = (list: ListName): ListProgress => ({
  list,
  read: 0,
  total: null,
  is_syncing: false,
});

/** A failure of the stored kind; its other fields were not stored. */
function failureOfKind(kind: FailureKind, wait: number | null): Failure {
  if (kind === "rate_limited")
    return { kind, retry_after: wait === null ? null : Math.max(1, wait) };
  if (kind === "unavailable") return { kind, outcome_unknown: false };
  // These kinds of failures contain text of the service's answer, which was not stored.
  return { kind: kind === "validation" || kind === "conflict" ? "unexpected" : kind };
}

export async function getComparisons(scope: Scope): Promise<Comparisons> {
  const { owner } = await requireSeller(scope, "connection:read");
  return selectComparisons(database(), owner);
}
