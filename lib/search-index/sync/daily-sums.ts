import "server-only";
import type pg from "pg";
import { queryValue } from "#contract/process/database.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inLongTransaction, inTransaction, setStatementTimeout } from "#lib/db/pool.ts";
import { zoneOffsets } from "#lib/format/zoned-moment.ts";

/** Milliseconds for summing everything: a million subscriptions take a minute or two. */
const SUMMING_TIMEOUT = 60 * 60_000;
/** Rows that may be added to the sums before they are summed up. */
const MOST_UNFOLDED = 20_000;

/**
 * SQL that locks the seller's sums until the transaction ends; false while another transaction
 * holds the lock.
 */
const IS_FREE = "pg_try_advisory_xact_lock(hashtextextended('summing ' || $2 || $1::uuid, 0))";

/**
 * Makes the sums that reports read: all of them once the index is full, with the service's history,
 * or when the seller's days change; later only the additions.
 */
export async function keepDailySums(pool: pg.Pool, owner: KeyOwner): Promise<void> {
  const whose = [owner.seller_id, owner.mode];
  const { rows } = await pool.query<Partial<ZoneDays> & SumsState>(
    `select l.time_zone as zone, s.time_zone, s.offsets, s.offset_from, s.is_ready,
            exists (select from mirror_sum d where d.seller_id = $1 and d.mode = $2
                     and not d.is_folded offset ${MOST_UNFOLDED}) as is_unfolded
       from mirror m join seller l on l.id = m.seller_id
       left join mirror_sums s on s.seller_id = $1 and s.mode = $2
      where m.seller_id = $1 and m.mode = $2 and m.filled_at is not null
        and m.history_after is null`,
    whose,
  );
  const [found] = rows;
  if (!found) return;
  const { zone, time_zone, offsets, offset_from, is_ready, is_unfolded } = found;
  const isSame =
    time_zone === zone &&
    JSON.stringify({ offsets, offset_from }) === JSON.stringify(zoneDaysOf(zone));
  if (!is_ready || !isSame) return sumEverything(pool, owner, zone);
  if (is_unfolded)
    await inLongTransaction(pool, SUMMING_TIMEOUT, (client) =>
      client.query("select fold_sums($1, $2)", whose),
    );
}

/**
 * Sums everything by the days of a zone, unless another worker does: it may take longer than a lease.
 * Writers go on meanwhile; reports wait.
 */
export async function sumEverything(
  pool: Pick<pg.Pool, "connect" | "query">,
  { seller_id, mode }: KeyOwner,
  time_zone: string,
): Promise<void> {
  const { offsets, offset_from } = zoneDaysOf(time_zone);
  const { rowCount } = await pool.query(
    `insert into mirror_sums (seller_id, mode, time_zone, offsets, offset_from)
     select seller_id, mode, $3, $4::integer[], $5::timestamptz[] from mirror
      where seller_id = $1 and mode = $2 and ${IS_FREE}
     on conflict (seller_id, mode) do update set time_zone = excluded.time_zone,
       offsets = excluded.offsets, offset_from = excluded.offset_from, is_ready = false`,
    [seller_id, mode, time_zone, offsets, offset_from],
  );
  if (rowCount === 0) return;
  // Waits for writers that began before the sums were wanted, because they do not update them.
  await inTransaction(pool, (client) =>
    client.query(
      "select pg_advisory_xact_lock(hashtextextended('sums ' || $2 || $1::uuid, 0))",
      [seller_id, mode],
    ),
  );
  await inTransaction(pool, async (connection) => {
    // Rows added meanwhile are neither read nor deleted, so they count on top.
    await connection.query("set transaction isolation level repeatable read");
    await connection.query("set local work_mem = '256MB'");
    const client = await setStatementTimeout(connection, SUMMING_TIMEOUT);
    const isFree = await queryValue<boolean>(client, `select ${IS_FREE}`, [seller_id, mode]);
    if (isFree) await client.query("select sum_everything($1, $2)", [seller_id, mode]);
  });
}

interface SumsState {
  /** The seller's zone, and that of the sums; null without sums. */
  zone: string;
  time_zone: string | null;
  is_ready: boolean | null;
  is_unfolded: boolean;
}

/** Offsets from UTC in seconds, and the moments from which the second and each later one holds. */
interface ZoneDays {
  offsets: number[];
  offset_from: Date[];
}

/** The zone's offsets until the end of next year, so that they are the same for a year. */
function zoneDaysOf(time_zone: string): ZoneDays {
  const until = `${new Date().getUTCFullYear() + 2}-01-01`;
  const offsets = zoneOffsets(time_zone, "2000-01-01", until);
  return {
    offsets: offsets.map(({ seconds }) => seconds),
    offset_from: offsets.flatMap(({ from }) => (from === null ? [] : [new Date(from)])),
  };
}
