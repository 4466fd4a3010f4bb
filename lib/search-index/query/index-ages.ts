import "server-only";
import type { Database } from "#lib/db/pool.ts";
import type { IndexAge } from "#lib/trace/observer.ts";

/** Number of indexes and the age of the oldest by state, over all sellers. */
export async function readIndexAges(db: Database): Promise<IndexAge[]> {
  const { rows } = await db.query<IndexAge>(
    `select case when error is not null then 'troubled'
                 when filled_at is null then 'filling' else 'ready' end as state,
            count(*)::int as copies,
            coalesce(extract(epoch from now() - min(coalesce(read_at, filled_at))), 0)::float8 as age
       from mirror where is_on group by 1`,
  );
  return rows;
}
