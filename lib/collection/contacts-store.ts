import "server-only";
import { queryValue } from "#contract/process/database.ts";
import type pg from "pg";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError } from "#lib/failure.ts";
import { inTransaction, singleRow, type Database } from "#lib/db/pool.ts";
import { isCurrentContactSql, debtSql, type Debt } from "#lib/money/debt.ts";
import {
  NEVER_CONTACTED,
  type Channel,
  type Contact,
  type ContactSummary,
  type ContactDetail,
  type ContactKind,
} from "./rules.ts";

/** A member who acts for a seller. */
export interface Actor extends KeyOwner {
  person_id: string;
  person_name: string;
}

export const actorOf = ({ owner, user }: SignedIn): Actor => ({
  ...owner,
  person_id: user.id,
  person_name: user.name,
});

export interface NewContact {
  subscription_id: string;
  kind: ContactKind;
  channel?: Channel | null;
  language?: string | null;
  detail?: ContactDetail;
  /** The billing date the contact is about, ISO; null for a first payment. */
  cycle: string | null;
  /**
   * The last contact the user saw, null for none: a newer reminder by somebody else is returned as a
   * conflict and nothing is stored. Undefined skips the check.
   */
  seen?: string | null | undefined;
  /** The sandbox's time, ISO, if it differs from real time. */
  clock_at?: string | null;
}

export type SavedContact =
  { state: "kept"; contact: Contact } | { state: "overtaken"; last: Contact };

const COLUMNS =
  "id, coalesce(clock_at, at) as at, person_id, person_name, kind, channel, language, detail, undone_at";

type ContactRow = Omit<Contact, "at" | "undone_at"> & { at: Date; undone_at: Date | null };

const toContact = ({ at, undone_at, ...contact }: ContactRow): Contact => ({
  ...contact,
  at: at.toISOString(),
  undone_at: undone_at?.toISOString() ?? null,
});

/** Stores a contact and updates the subscription's collection state in the same transaction. */
export async function saveContact(
  pool: Pick<pg.Pool, "connect">,
  { seller_id, mode, person_id, person_name }: Actor,
  { subscription_id, kind, channel, language, detail, cycle, seen, clock_at }: NewContact,
): Promise<SavedContact> {
  return inTransaction(pool, async (client) => {
    if (seen !== undefined) {
      // Serialises concurrent contacts, so that the second one sees the first.
      await client.query("select pg_advisory_xact_lock(hashtextextended($1, 17))", [
        `${seller_id} ${mode} ${subscription_id}`,
      ]);
      const last = await readLastReminder(client, { seller_id, mode }, subscription_id);
      if (last && last.person_id !== person_id && Number(last.id) > Number(seen ?? 0))
        return { state: "overtaken", last };
    }
    const { rows } = await client.query<ContactRow>(
      `insert into contact (seller_id, mode, subscription_id, person_id, person_name, kind, channel,
                            language, cycle, detail, clock_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning ${COLUMNS}`,
      [
        seller_id,
        mode,
        subscription_id,
        person_id,
        person_name,
        kind,
        channel ?? null,
        language ?? null,
        cycle,
        detail ?? {},
        clock_at ?? null,
      ],
    );
    return { state: "kept", contact: toContact(singleRow(rows)) };
  });
}

async function readLastReminder(
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscription_id: string,
): Promise<Contact | null> {
  const { rows } = await db.query<ContactRow>(
    `select ${COLUMNS} from contact
      where seller_id = $1 and mode = $2 and subscription_id = $3 and undone_at is null
        and kind = 'reminder'
      order by id desc limit 1`,
    [seller_id, mode, subscription_id],
  );
  return rows[0] ? toContact(rows[0]) : null;
}

/**
 * Undoes a contact of the same user, unless it is a goodwill extension.
 * @returns the contact with its subscription
 * @throws AppError `not_found`
 */
export async function undoContact(
  db: Database,
  { seller_id, mode, person_id }: Actor,
  id: string,
): Promise<Contact & { subscription_id: string }> {
  const { rows } = await db.query<ContactRow & { subscription_id: string }>(
    `update contact set undone_at = clock_timestamp(), undone_by = $3
      where seller_id = $1 and mode = $2 and person_id = $3 and id = $4
        and undone_at is null and kind <> 'courtesy'
      returning subscription_id, ${COLUMNS}`,
    [seller_id, mode, person_id, id],
  );
  const [row] = rows;
  if (!row) throw new AppError({ kind: "not_found" });
  return { ...toContact(row), subscription_id: row.subscription_id };
}

const MOST_READ = 200;

/** A subscription's contacts, newest first, with undone ones. */
export async function readContacts(
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscription_id: string,
): Promise<Contact[]> {
  const { rows } = await db.query<ContactRow>(
    `select ${COLUMNS} from contact
      where seller_id = $1 and mode = $2 and subscription_id = $3
      order by id desc limit ${MOST_READ}`,
    [seller_id, mode, subscription_id],
  );
  return rows.map(toContact);
}

/**
 * Columns of `collection_state` as `k`; only team members count as assigned. $1 and $2 are the seller
 * and the mode.
 * @param cycle the current billing date
 * @param phoneKey the key of the buyer's phone
 */
export const collectionStateColumns = (cycle: string, phoneKey: string) => `
  ${debtSql("k", cycle)} as debt,
  k.promised_for::text, k.snoozed_until::text, k.reminders, k.last_contact_id, k.last_contact_at,
  k.last_contact_by, k.last_contact_name, k.last_channel, k.language, k.note, k.note_at, k.note_name,
  (select language from buyer_language
    where seller_id = $1 and mode = $2 and phone_key = ${phoneKey}) as chosen_language,
  (select u.id from membership m join app_user u on u.id = m.user_id
    where m.seller_id = k.seller_id and m.user_id = k.assigned_to) as assigned_to,
  (select u.name from membership m join app_user u on u.id = m.user_id
    where m.seller_id = k.seller_id and m.user_id = k.assigned_to) as assigned_name`;

/** A row of `collection_state`; all but `chosen_language` are null without a contact. */
export interface CollectionStateRow {
  promised_for: string | null;
  snoozed_until: string | null;
  reminders: number | null;
  last_contact_id: string | null;
  last_contact_at: Date | null;
  last_contact_by: string | null;
  last_contact_name: string | null;
  last_channel: Channel | null;
  language: string | null;
  chosen_language: string | null;
  assigned_to: string | null;
  assigned_name: string | null;
  note: string | null;
  note_at: Date | null;
  note_name: string | null;
  debt: Debt | null;
}

/** @param isNow whether the row is about the current billing date */
export function contactSummaryOf(row: CollectionStateRow, isNow: boolean): ContactSummary {
  const { last_contact_id: id, last_contact_at, note, note_at } = row;
  return {
    promised_for: isNow ? row.promised_for : null,
    snoozed_until: isNow ? row.snoozed_until : null,
    reminders: isNow ? (row.reminders ?? 0) : 0,
    last:
      id === null || last_contact_at === null
        ? null
        : {
            id,
            at: last_contact_at.toISOString(),
            person: { id: row.last_contact_by ?? "", name: row.last_contact_name ?? "" },
            channel: row.last_channel,
          },
    language: row.chosen_language ?? row.language,
    is_chosen: row.chosen_language !== null,
    assigned:
      row.assigned_to === null ? null : { id: row.assigned_to, name: row.assigned_name ?? "" },
    note:
      note === null || note_at === null
        ? null
        : { text: note, at: note_at.toISOString(), name: row.note_name ?? "" },
    debt: row.debt,
  };
}

/**
 * Collection states by subscription id.
 * @param subscriptions with their current billing dates, ISO
 */
export async function readContactSummary(
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscriptions: { id: string; cycle: string | null }[],
): Promise<(id: string) => ContactSummary> {
  const { rows } = await db.query<CollectionStateRow & { id: string; is_about: boolean }>(
    `select g.id, ${isCurrentContactSql("k", "g.cycle")} as is_about,
            ${collectionStateColumns("g.cycle", "s.phone_key")}
       from unnest($3::text[], $4::timestamptz[]) as g(id, cycle)
       left join collection_state k on k.seller_id = $1 and k.mode = $2 and k.subscription_id = g.id
       left join indexed_subscription s on s.seller_id = $1 and s.mode = $2 and s.id = g.id`,
    [
      seller_id,
      mode,
      subscriptions.map(({ id }) => id),
      subscriptions.map(({ cycle }) => cycle),
    ],
  );
  const known = new Map(rows.map((row) => [row.id, contactSummaryOf(row, row.is_about)]));
  return (id) => known.get(id) ?? NEVER_CONTACTED;
}

/** The channel of this user's last message; calls and copied links do not count. Null without one. */
export const readUsualChannel = (
  db: Database,
  { seller_id, mode, person_id }: Omit<Actor, "person_name">,
) =>
  queryValue<Channel>(
    db,
    `select channel from contact
      where seller_id = $1 and mode = $2 and person_id = $3 and kind = 'reminder'
        and channel in ('whatsapp', 'viber', 'sms', 'mail')
      order by id desc limit 1`,
    [seller_id, mode, person_id],
  );
