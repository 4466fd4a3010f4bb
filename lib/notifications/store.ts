import "server-only";
import { queryRow } from "#contract/process/database.ts";
import type pg from "pg";
import type { Role } from "#lib/auth/permissions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inTransaction, singleRow, type Database } from "#lib/db/pool.ts";
import {
  isNoticeKind,
  NO_NOTICES,
  NOTICE_WAYS,
  offeredKinds,
  type NoticeChoices,
  type NoticeKind,
  type NoticeWay,
} from "./rules.ts";

interface ChoiceRow {
  morning_at: string;
  shows_names: boolean;
  way: NoticeWay | null;
  kind: string | null;
}

/** The notices that a member switched on for a seller and mode. */
export async function readNoticeChoices(
  db: Database,
  { seller_id, mode }: KeyOwner,
  user_id: string,
): Promise<NoticeChoices> {
  const { rows } = await db.query<ChoiceRow>(
    `select to_char(s.morning_at, 'HH24:MI') as morning_at, s.shows_names, c.way, c.kind
       from notice_setting s left join notice_choice c on c.setting_id = s.id
      where s.user_id = $1 and s.seller_id = $2 and s.mode = $3`,
    [user_id, seller_id, mode],
  );
  const [first] = rows;
  if (!first) return NO_NOTICES;
  const kindsOf = (way: NoticeWay) =>
    rows.flatMap((row): NoticeKind[] =>
      row.way === way && row.kind !== null && isNoticeKind(row.kind) ? [row.kind] : [],
    );
  const { morning_at, shows_names } = first;
  return { mail: kindsOf("mail"), push: kindsOf("push"), morning_at, shows_names };
}

/**
 * Stores a member's choices. Kinds that their role cannot switch on stay as they are; events before
 * a kind was switched on are not sent, nor a morning whose time had passed when it was chosen.
 */
export async function saveNoticeChoices(
  pool: Pick<pg.Pool, "connect">,
  { seller_id, mode }: KeyOwner,
  { user_id, role }: { user_id: string; role: Role },
  choices: NoticeChoices,
): Promise<void> {
  const { morning_at, shows_names } = choices;
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ id: string; is_other_time: boolean }>(
      `with before as (
         select morning_at from notice_setting where user_id = $1 and seller_id = $2 and mode = $3)
       insert into notice_setting (user_id, seller_id, mode, morning_at, shows_names)
       values ($1, $2, $3, $4, $5)
       on conflict (user_id, seller_id, mode) do update
         set morning_at = excluded.morning_at, shows_names = excluded.shows_names
       returning id, coalesce((select morning_at <> $4::time from before), false) as is_other_time`,
      [user_id, seller_id, mode, morning_at, shows_names],
    );
    const { id, is_other_time } = singleRow(rows);
    for (const way of NOTICE_WAYS) {
      const offered = offeredKinds(way, role);
      const wanted = choices[way].filter((kind) => offered.includes(kind));
      await client.query(
        `delete from notice_choice
          where setting_id = $1 and way = $2 and kind = any ($3) and kind <> all ($4)`,
        [id, way, offered, wanted],
      );
      await client.query(
        `insert into notice_choice (setting_id, way, kind) select $1, $2, unnest($3::text[])
         on conflict do nothing`,
        [id, way, wanted],
      );
    }
    if (is_other_time)
      await client.query(
        "update notice_choice set since = now() where setting_id = $1 and kind = 'morning'",
        [id],
      );
  });
}

/** The seller of a notice, for the page behind a link that switches it off. */
export const readSettingSeller = (db: Database, setting_id: string) =>
  queryRow<{ seller: string }>(
    db,
    `select l.name as seller from notice_setting s join seller l on l.id = s.seller_id
      where s.id = $1`,
    [setting_id],
  );

/** Switches one kind of mail off; nothing if it is off already. */
export async function switchOffMail(
  db: Database,
  { setting_id, kind }: { setting_id: string; kind: NoticeKind },
): Promise<void> {
  await db.query(
    "delete from notice_choice where setting_id = $1 and way = 'mail' and kind = $2",
    [setting_id, kind],
  );
}
