import "server-only";
import type { Role } from "#lib/auth/permissions.ts";
import { lacksSecondFactorSql } from "#lib/auth/sessions/session.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import type { Language } from "#lib/i18n/languages.ts";
import { mayGetNotice, type NoticeKind, type NoticeWay } from "../rules.ts";

/** A notice that only this process may send. */
export interface ClaimedNotice {
  id: string;
  way: NoticeWay;
  kind: NoticeKind;
  subscription_id: string | null;
  subject: string | null;
  /** The buyer's name in the search index, if the person wants names. */
  buyer: string | null;
  setting_id: string;
  user_id: string;
  email: string;
  role: Role;
  language: Language | null;
  seller: string;
  code: string;
  time_zone: string;
}

const MOST_AT_ONCE = 100;
const DAYS_KEPT = 40;

/**
 * Claims queued notices of a seller. A claim comes before the sending and a crash does not undo it,
 * so that no event is sent twice; whether a notice claimed by a crashed process was sent is never
 * known. Notices that the member may no longer see, or has switched off, are dropped here.
 */
export async function claimNotices(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<ClaimedNotice[]> {
  await db.query(
    `update notice n set state = 'dropped' from notice_setting s
      where s.id = n.setting_id and s.seller_id = $1 and s.mode = $2
        and n.state = 'queued' and n.ends_at <= now()`,
    [seller_id, mode],
  );
  const { rows } = await db.query<ClaimedNotice & { is_wanted: boolean }>(
    `with next as (
       select n.id from notice n join notice_setting s on s.id = n.setting_id
        where s.seller_id = $1 and s.mode = $2 and n.state = 'queued' and n.due_at <= now()
        order by n.id limit ${MOST_AT_ONCE} for update of n skip locked
     ), claimed as (
       update notice n set state = 'sending', attempts = attempts + 1
         from next where n.id = next.id returning n.*
     )
     select n.id, n.way, n.kind, n.subscription_id, n.subject, n.setting_id, s.user_id,
            case when s.shows_names then i.full_name end as buyer,
            u.email, u.language, m.role, l.name as seller, l.code, l.time_zone,
            exists (select from notice_choice c
                     where c.setting_id = n.setting_id and c.way = n.way and c.kind = n.kind)
              and not (${lacksSecondFactorSql({ seller: "l", member: "m" })}) as is_wanted
       from claimed n
       join notice_setting s on s.id = n.setting_id
       join membership m on m.user_id = s.user_id and m.seller_id = s.seller_id
       join app_user u on u.id = s.user_id
       join seller l on l.id = s.seller_id
       left join indexed_subscription i
         on i.seller_id = s.seller_id and i.mode = s.mode and i.id = n.subscription_id
      order by n.id`,
    [seller_id, mode],
  );
  const isTold = ({ is_wanted, role, kind }: (typeof rows)[number]) =>
    is_wanted && mayGetNotice(role, kind);
  await settleNotices(
    db,
    rows.filter((row) => !isTold(row)),
    "dropped",
  );
  return rows.filter(isTold);
}

/** `later`: nothing was sent, and it is tried again after some minutes, three times in all. */
export type NoticeResult = "sent" | "dropped" | "unknown" | "later";

const MOST_ATTEMPTS = 3;

/** Ends the claim of notices. */
export async function settleNotices(
  db: Database,
  notices: readonly Pick<ClaimedNotice, "id">[],
  result: NoticeResult,
): Promise<void> {
  if (notices.length === 0) return;
  const ids = notices.map(({ id }) => id);
  if (result !== "later") {
    await db.query("update notice set state = $2 where id = any ($1)", [ids, result]);
    return;
  }
  await db.query(
    `update notice
        set state = case when attempts < ${MOST_ATTEMPTS} then 'queued' else 'failed' end,
            due_at = now() + attempts * interval '5 minutes'
      where id = any ($1)`,
    [ids],
  );
}

/** Deletes old notices of a seller; their events are too old to be queued again. */
export async function forgetNotices(
  db: Database,
  { seller_id, mode }: KeyOwner,
): Promise<void> {
  await db.query(
    `delete from notice n using notice_setting s
      where s.id = n.setting_id and s.seller_id = $1 and s.mode = $2
        and n.created_at < now() - interval '${DAYS_KEPT} days'`,
    [seller_id, mode],
  );
}
