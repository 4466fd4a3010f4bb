import type { Database } from "../db/database.ts";
import { queryRows, queryValue, transaction } from "../db/database.ts";
import { finishEach } from "../finish-each.ts";
import { firstChannelSql } from "./outbox.ts";
import type { ChannelKey } from "./store.ts";
import { MOST_CHANGED, type MessageSweep } from "./sweep.ts";

/**
 * Milliseconds in which messages can still be queued for a channel that is gone or off: by attempts
 * that were under way, and by transactions that began before.
 */
const WATCHED = 5 * 60_000;

/**
 * Hands the first queued messages of a channel that is gone or off to another channel, or ends them;
 * the sweep does this for the rest.
 */
export async function leaveChannel(
  database: Database,
  { seller_id, channel_id }: ChannelKey,
  at: Date,
): Promise<void> {
  await database.query(
    `update seller set lost_channels = array_append(array_remove(lost_channels, $2), $2),
       lost_until = $3
     where seller_id = $1`,
    [seller_id, channel_id, new Date(at.getTime() + WATCHED)],
  );
  await rerouteSome(database, seller_id, at);
}

/** Reroutes the messages of all sellers that requests left to the sweep. */
export async function rerouteMessages(sweep: MessageSweep): Promise<void> {
  const sellers = await queryRows<{ seller_id: number }>(
    sweep.pool,
    "select seller_id from seller where lost_until is not null order by seller_id",
  );
  await finishEach(
    sellers,
    ({ seller_id }) => rerouteNext(sweep, seller_id).finally(sweep.onStatement),
    sweep,
  );
}

/** @returns whether more may be left; false while another process works on this seller */
const rerouteNext = ({ pool, now }: MessageSweep, sellerId: number) =>
  transaction(pool, async (database) => {
    const at = now();
    const until = await queryValue<Date>(
      database,
      `select lost_until from seller where seller_id = $1 and lost_until is not null
       for no key update skip locked`,
      [sellerId],
    );
    if (until === null) return false;
    if ((await rerouteSome(database, sellerId, at)) === MOST_CHANGED) return true;
    if (until <= at)
      await database.query(
        "update seller set lost_channels = '{}', lost_until = null where seller_id = $1",
        [sellerId],
      );
    return false;
  });

/** @returns how many messages it moved or ended */
async function rerouteSome(database: Database, sellerId: number, at: Date): Promise<number> {
  // Codes come first, because buyers wait for them.
  const codes = await database.query(REROUTE_CODES, [sellerId, at, MOST_CHANGED]);
  const moved = codes.rowCount ?? 0;
  const others = await database.query(REROUTE_OTHERS, [sellerId, at, MOST_CHANGED - moved]);
  return moved + (others.rowCount ?? 0);
}

// Codes and other messages have indexes of their own, so a statement moves one kind. A message that is
// just being claimed is left out.
const rerouteSql = (kind: string) => `
  with lost as (
    select m.message_id, ${firstChannelSql({
      seller: "$1",
      phone: "m.phone",
      email: "m.email",
      except: "m.refused_by",
    })} as next
    from message m
    where m.seller_id = $1 and m.state = 'queued' and ${kind} and m.channel_id = any (array(
      select l.channel_id from seller s cross join unnest(s.lost_channels) as l (channel_id)
      where s.seller_id = $1 and not exists (
        select from message_channel c
        where c.seller_id = $1 and c.channel_id = l.channel_id and c.is_active)))
    limit $3 for update of m skip locked)
  update message m set channel_id = l.next, state_at = $2,
    state = case when l.next is null then 'failed' else 'queued' end,
    error_code = case when l.next is null then 'no_channel' end,
    error = case when l.next is null then 'No channel is left that reaches the recipient.' end,
    body = case when l.next is null and m.kind = 'code' then null else m.body end,
    parameters = case when l.next is null and m.kind = 'code' then '{}' else m.parameters end
  from lost l where m.seller_id = $1 and m.message_id = l.message_id`;

const REROUTE_CODES = rerouteSql("m.kind = 'code'");
const REROUTE_OTHERS = rerouteSql("m.kind <> 'code'");
