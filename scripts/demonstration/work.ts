import type pg from "pg";
import { returnPage } from "#contract/return-page.ts";

/** One change in the generated past of a subscription; times are ISO strings. */
export interface HistoryChange {
  subscription_id: string;
  trigger: string;
  at: string;
  old_status: string;
  new_status: string;
  old_start: string | null;
  new_start: string | null;
  old_next: string | null;
  new_next: string | null;
  payment: Record<string, string | null> | null;
}

export interface Owner {
  seller_id: string;
  user_id: string;
  user_name: string;
  time_zone: string;
}

interface Contact {
  subscription_id: string;
  at: string;
  kind: "reminder" | "promise" | "note" | "snooze";
  channel: string | null;
  language: string | null;
  cycle: string | null;
  detail: Record<string, string>;
}

interface Act {
  at: string;
  action: string;
  subscription_id: string | null;
  detail: Record<string, string | number>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const REMINDED_SINCE = 75 * DAY;
const CHANNELS = ["whatsapp", "whatsapp", "viber", "sms"];

/**
 * Inserts contacts with buyers, a bulk change, a view and entries of the audit log, and sets the return
 * URL if there is none.
 */
export async function writeWork(
  db: pg.Client,
  owner: Owner,
  history: HistoryChange[],
  publicUrl: string,
): Promise<void> {
  const { seller_id, user_id, user_name } = owner;
  const contacts = contactsOf(owner, history);
  await db.query(
    `insert into contact (seller_id, mode, subscription_id, at, person_id, person_name, kind, channel,
                          language, cycle, detail)
     select $1, 'test', subscription_id, at, $2, $3, kind, channel, language, cycle, detail
       from jsonb_to_recordset($4) as one (subscription_id text, at timestamptz, kind text,
            channel text, language text, cycle timestamptz, detail jsonb)
      order by at`,
    [seller_id, user_id, user_name, JSON.stringify(contacts)],
  );
  const together = cancelledTogether(history);
  await writeRun(db, owner, together);
  await db.query(
    `insert into saved_view (seller_id, mode, name, query, words, position)
     values ($1, 'test', 'Ending soon', 'status=pending_cancellation', '', 1)`,
    [seller_id],
  );
  const { rows } = await db.query<{ return_token: string }>(
    "select return_token from seller where id = $1",
    [seller_id],
  );
  await db.query("update seller set return_url = $2 where id = $1 and return_url is null", [
    seller_id,
    `${publicUrl}${returnPage(rows[0]?.return_token ?? "")}`,
  ]);
  const created = await db.query<{ id: string; created_at: Date }>(
    `select id, created_at from indexed_subscription
      where seller_id = $1 and mode = 'test' and created_at > now() - interval '30 days'`,
    [seller_id],
  );
  const acts: Act[] = [
    ...created.rows.map(({ id, created_at }) =>
      act(created_at.toISOString(), "subscription.create", id),
    ),
    ...contacts.map(({ at, kind, subscription_id, channel, language, detail }) => {
      if (kind !== "reminder")
        return act(at, `collection.${kind}`, subscription_id, kind === "note" ? {} : detail);
      return act(at, "collection.remind", subscription_id, {
        channel: channel ?? "",
        language: language ?? "",
      });
    }),
    ...history
      .filter(({ trigger, at }) => trigger === "cancel" && isWithinLast(at, REMINDED_SINCE))
      .map(({ at, subscription_id, old_status, new_status }) =>
        act(at, "subscription.cancel", subscription_id, {
          status_before: old_status,
          status: new_status,
        }),
      ),
    act(daysAgo(30), "view.save", null, { view: "Ending soon" }),
    act(daysAgo(300), "webhook.create", null, { host: "shop.phewa.example" }),
  ];
  await db.query(
    `insert into audit_log (at, seller_id, user_id, action, subscription_id, result, detail, mode,
                            user_name)
     select at, $1, $2, action, subscription_id, 'done', detail, 'test', $3
       from jsonb_to_recordset($4) as one (at timestamptz, action text, subscription_id text,
            detail jsonb)
      order by at`,
    [seller_id, user_id, user_name, JSON.stringify(acts)],
  );
}

const act = (
  at: string,
  action: string,
  subscription_id: string | null,
  detail: Act["detail"] = {},
): Act => ({ at, action, subscription_id, detail });

/**
 * The contacts of the last 75 days: most buyers were reminded some hours after they became due, and
 * some of them promised a date.
 */
function contactsOf({ time_zone }: Owner, history: HistoryChange[]): Contact[] {
  const due = history.filter(
    ({ trigger, at }) => trigger === "billing_date_passed" && isWithinLast(at, REMINDED_SINCE),
  );
  return due.flatMap(({ subscription_id, at, new_next }, place): Contact[] => {
    const paid = history.find(
      (one) => one.subscription_id === subscription_id && one.payment !== null && one.at > at,
    );
    const until = paid ? Date.parse(paid.at) : Date.now() - HOUR;
    const reminded = Date.parse(at) + (4 + (place % 3) + ((place * 7) % 53) / 60) * HOUR;
    if (place % 5 === 4 || reminded > until) return [];
    const about = { subscription_id, cycle: new_next, channel: null, language: null };
    const moment = (hours: number) =>
      new Date(Math.round(reminded + hours * HOUR)).toISOString();
    const day = (days: number) =>
      Temporal.Instant.from(at)
        .toZonedDateTimeISO(time_zone)
        .add({ days })
        .toPlainDate()
        .toString();
    const contacts: Contact[] = [
      {
        ...about,
        at: moment(0),
        kind: "reminder",
        channel: CHANNELS[place % CHANNELS.length] ?? null,
        language: place % 3 === 1 ? "ne" : "en",
        detail: {},
      },
    ];
    if (reminded + HOUR > until) return contacts;
    if (place % 4 === 0)
      contacts.push({
        ...about,
        at: moment(1),
        kind: "promise",
        detail: { promised_for: day(3) },
      });
    if (place % 9 === 1)
      contacts.push({
        ...about,
        at: moment(1),
        kind: "note",
        detail: { text: "Prefers a call after six in the evening." },
      });
    return contacts;
  });
}

/** The cancellations of the minute that has the most. */
function cancelledTogether(history: HistoryChange[]): HistoryChange[] {
  const byMinute = Map.groupBy(
    history.filter(({ trigger }) => trigger === "cancel"),
    ({ at }) => at.slice(0, 16),
  );
  return [...byMinute.values()].toSorted((one, other) => other.length - one.length)[0] ?? [];
}

async function writeRun(db: pg.Client, owner: Owner, together: HistoryChange[]): Promise<void> {
  const { seller_id, user_id, user_name, time_zone } = owner;
  const at = together[0]?.at;
  if (!at) return;
  const { rows } = await db.query<{ id: string }>(
    `insert into bulk_run (seller_id, mode, operation, started_by, created_at)
     values ($1, 'test', 'cancel', $2, $3) returning id`,
    [seller_id, user_id, at],
  );
  await db.query(
    `insert into bulk_item (run_id, seller_id, mode, position, subscription_id, buyer, state,
       status_before, day_before, status_after, day_after, settled_at)
     select $1, $2, 'test', row_number() over (order by one.at) - 1, s.id, s.full_name, 'done',
       one.old_status, (one.new_next at time zone $3)::date, one.new_status,
       (one.new_next at time zone $3)::date, one.at
       from jsonb_to_recordset($4) as one (subscription_id text, at timestamptz, old_status text,
            new_status text, new_next timestamptz)
       join indexed_subscription s
         on s.seller_id = $2 and s.mode = 'test' and s.id = one.subscription_id`,
    [rows[0]?.id, seller_id, time_zone, JSON.stringify(together)],
  );
  await db.query(
    `insert into audit_log (at, seller_id, user_id, action, result, detail, mode, user_name)
     values ($1, $2, $3, 'subscription.bulk', 'done', $4, 'test', $5)`,
    [
      at,
      seller_id,
      user_id,
      { operation: "cancel", subscriptions: together.length },
      user_name,
    ],
  );
}

export const isWithinLast = (at: string, span: number) => Date.parse(at) > Date.now() - span;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();
