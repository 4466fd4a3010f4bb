import "server-only";
import { queryRow } from "#contract/process/database.ts";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { logFault } from "#lib/log.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { isMailConfigured, trySendMail, type Mail } from "#lib/mail.ts";
import { pushToPerson } from "./browsers.ts";
import {
  morningMail,
  morningPush,
  noticeMail,
  noticePush,
  type Push,
  type NoticeReader,
  type NoticeContent,
} from "./compose.ts";
import { queuePolledEvents, queueDatabaseEvents } from "./events.ts";
import { readMorning } from "./morning.ts";
import {
  claimNotices,
  forgetNotices,
  settleNotices,
  type ClaimedNotice,
  type NoticeResult,
} from "./outbox.ts";
import { noticeWords } from "./words.ts";

/** A task of the worker: sends the seller's members the notices that they switched on. */
export async function sendNoticesOf(owner: KeyOwner): Promise<void> {
  try {
    await sendNotices(database(), owner);
  } catch (error) {
    logFault("notices: they were not sent", error);
  }
}

/** Queues the events since the last time, and sends the queue. */
export async function sendNotices(pool: pg.Pool, owner: KeyOwner): Promise<void> {
  const seller = await findToldSeller(pool, owner);
  if (!seller) return;
  await queueDatabaseEvents(pool, owner);
  await queuePolledEvents(pool, owner, seller);
  const claimed = await claimNotices(pool, owner);
  for (const group of groupsOf(claimed)) {
    const result = await sendGroup(pool, owner, group);
    await settleNotices(pool, group, result);
  }
  if (claimed.length > 0) await forgetNotices(pool, owner);
}

/** Null if no member of the seller has switched on a notice. */
async function findToldSeller(db: Database, { seller_id, mode }: KeyOwner) {
  return queryRow<{ code: string; time_zone: string }>(
    db,
    `select code, time_zone from seller
      where id = $1 and exists (
        select from notice_setting s join notice_choice c on c.setting_id = s.id
         where s.seller_id = $1 and s.mode = $2)`,
    [seller_id, mode],
  );
}

/** More new payments than this are announced in one notice. */
const MOST_PAYMENTS = 3;

type Group = [ClaimedNotice, ...ClaimedNotice[]];

/** Groups notices that are sent together: many payments of one person are one group. */
function groupsOf(claimed: readonly ClaimedNotice[]): Group[] {
  const payments = Map.groupBy(
    claimed.filter(({ kind }) => kind === "payment"),
    ({ setting_id, way }) => `${setting_id} ${way}`,
  );
  const together = [...payments.values()].filter(({ length }) => length > MOST_PAYMENTS);
  const grouped = new Set(together.flat());
  const apart = claimed.filter((notice) => !grouped.has(notice)).map((one): Group => [one]);
  return [
    ...apart,
    ...together.flatMap(([first, ...others]) => (first ? [[first, ...others] as Group] : [])),
  ];
}

async function sendGroup(
  pool: pg.Pool,
  owner: KeyOwner,
  [notice, ...others]: Group,
): Promise<NoticeResult> {
  const { way, kind, setting_id, email, seller, code, user_id, role, time_zone } = notice;
  const t = await noticeWords(notice.language ?? "en");
  const scope = { seller: code, mode: owner.mode };
  const reader: NoticeReader = { setting_id, email, seller, scope };
  if (kind === "morning") {
    const now = new Date().toISOString();
    const lines = await readMorning(pool, owner, { user_id, role, scope, time_zone, now });
    if (lines === null) return "later";
    if (lines.length === 0) return "dropped";
    return way === "mail"
      ? mail(morningMail(t, reader, lines))
      : push(pool, user_id, morningPush(t, reader, lines), MORNING_TTL);
  }
  const { subscription_id, subject } = notice;
  const buyer = way === "push" ? notice.buyer : null;
  const told: NoticeContent = {
    kind,
    count: others.length + 1,
    subscription_id,
    subject,
    buyer,
  };
  return way === "mail"
    ? mail(noticeMail(t, reader, told))
    : push(pool, user_id, noticePush(t, reader, told), TOLD_TTL);
}

/** Seconds for which a push service keeps a push for a browser that is away. */
const MORNING_TTL = 6 * 3_600;
const TOLD_TTL = 24 * 3_600;

async function mail(composed: Mail): Promise<NoticeResult> {
  if (!isMailConfigured()) return "dropped";
  const outcome = await trySendMail(composed);
  return outcome === "accepted" ? "sent" : outcome === "refused" ? "later" : "unknown";
}

async function push(
  db: Database,
  user_id: string,
  composed: Push,
  ttl: number,
): Promise<NoticeResult> {
  const { accepted, unknown, refused } = await pushToPerson(db, user_id, composed, ttl);
  if (accepted > 0) return "sent";
  if (unknown > 0) return "unknown";
  return refused > 0 ? "later" : "dropped";
}
