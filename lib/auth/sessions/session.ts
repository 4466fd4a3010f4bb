import "server-only";
import type { Database } from "#lib/db/pool.ts";
import { isPublishedOffHere } from "#lib/env.ts";
import type { AmountStyle } from "#lib/format/format.ts";
import type { Language, SecondCalendar } from "#lib/i18n/languages.ts";
import { can, type Permission, type Role } from "#lib/auth/permissions.ts";
import { isShut } from "#lib/auth/credentials/published-password.ts";
import type { Mode, Scope } from "#lib/scope.ts";
import { lacksSecondFactor } from "#lib/auth/credentials/second-factor-demand.ts";
import { newSecret, secretId } from "./visit.ts";

const HOUR = 3_600_000;
export const SESSION_SECONDS = 7 * 24 * 3_600;
export const IDLE_MS = 12 * HOUR;
const TOUCH_MS = 60_000;

/** As every page needs them. */
export interface Person {
  id: string;
  name: string;
  email: string;
  /** Null: as the browser asks for it. */
  language: Language | null;
  /** Shown beside the Gregorian one. */
  second_calendar: SecondCalendar | null;
  /** Whether single characters act at once. */
  character_keys: boolean;
  /** They were shown around, or did not want it. */
  has_left_tour: boolean;
}

/** A person who is signed in. What they may do depends on the seller: see findMembership. */
export interface Session {
  /** The row's key; what the cookie carries is not in it. */
  id: Buffer;
  user: Person;
  /** What was looked at last, for addresses that name no seller. */
  last: Scope | null;
}

export interface SellerRow {
  id: string;
  code: string;
  name: string;
  time_zone: string;
  /** For amounts that come without one. */
  currency: string;
  amount_style: AmountStyle;
  /** Where buyers land after the checkout, unless a subscription says otherwise. */
  return_url: string | null;
  /** Of everybody in the team. */
  demands_second_factor: boolean;
}

interface Standing {
  role: Role;
  /** The seller demands one, and this person has none. */
  lacks_second_factor: boolean;
}

const MEMBERSHIP_COLUMNS = `s.id, s.code, s.name, s.time_zone, s.currency, s.amount_style, s.return_url,
            s.demands_second_factor, m.role,
            ${lacksSecondFactor({ seller: "s", member: "m" })} as lacks_second_factor`;

export interface Membership extends Standing {
  seller: SellerRow;
}

/** A session, and what its person is at the seller that was asked for; null where that is none of theirs. */
export interface Visitor {
  session: Session;
  membership: Membership | null;
}

interface SessionRow extends Omit<Person, "id"> {
  user_id: string;
  last_code: string | null;
  last_mode: Mode | null;
  last_seen_at: Date;
  membership: (SellerRow & Standing) | null;
}

/** From where a session was begun, as its owner sees it in the list of their sessions. */
export interface Origin {
  user_agent?: string | null;
  address?: string | null;
}

interface Begun extends Origin {
  user_id: string;
  /** The secret of the session whose place it takes. */
  replaced?: string | null;
}

// A few of those long over go each time, so that none stays for ever.
const CREATE_SESSION = `with replaced as (
         update session set revoked_at = $3 where id = $7 and revoked_at is null),
       old as (
         delete from session
          where id in (select id from session where expires_at < $8 and id <> $7 limit 20))
       insert into session (id, user_id, created_at, last_seen_at, expires_at, user_agent, address)
       values ($1, $2, $3, $3, $4, $5, $6)`;

/** Returns the 256-bit secret for the cookie; only its hash is kept. */
export async function createSession(
  db: Database,
  { user_id, user_agent = null, address = null, replaced = null }: Begun,
  now = new Date(),
): Promise<string> {
  const secret = newSecret();
  const expires = new Date(now.getTime() + SESSION_SECONDS * 1000);
  const longOver = new Date(now.getTime() - SESSION_SECONDS * 1000);
  await db.query({
    name: "create_session",
    text: CREATE_SESSION,
    values: [
      secretId(secret),
      user_id,
      now,
      expires,
      user_agent?.slice(0, 300) ?? null,
      address,
      secretId(replaced ?? ""),
      longOver,
    ],
  });
  return secret;
}

/**
 * What a query asks of rows of `session` and `app_user`: whether that session stands, the one place that
 * says so. Whether a seller demands a second factor is asked of the membership (lacksSecondFactor).
 * @param names in that query: of the two tables, and of what is now and whether the published password is off
 */
export const stands = ({
  session,
  user,
  now,
  isOff,
}: Record<"session" | "user" | "now" | "isOff", string>) =>
  `${session}.revoked_at is null and ${session}.expires_at > ${now}
        and ${session}.last_seen_at > ${now} - interval '${IDLE_MS} milliseconds'
        and ${isShut({ user, isOff })} is not true`;

// Named: every request asks it, and planning it costs more than running it. The membership comes along,
// because a second question would wait for the answer to the first.
const FIND_VISITOR = `select u.id as user_id, u.name, u.email, u.language, u.second_calendar, u.character_keys,
            u.has_left_tour, a.last_seen_at, a.mode as last_mode, last.code as last_code,
            row_to_json(asked) as membership
       from session a
       join app_user u on u.id = a.user_id
       left join seller last on last.id = a.seller_id
       left join lateral (
         select ${MEMBERSHIP_COLUMNS}
           from membership m join seller s on s.id = m.seller_id
          where m.user_id = u.id and s.code = $3) asked on true
      where a.id = $1
        and ${stands({ session: "a", user: "u", now: "$2::timestamptz", isOff: "$4" })}`;
const FIND_MEMBERSHIP = `select ${MEMBERSHIP_COLUMNS}
       from membership m join seller s on s.id = m.seller_id
      where m.user_id = $1 and s.code = $2`;

/** The session as it stands now, and the role of today; null when it is over. @param code of a seller */
export async function findVisitor(
  db: Database,
  secret: string,
  code: string | null,
  now = new Date(),
): Promise<Visitor | null> {
  const id = secretId(secret);
  const { rows } = await db.query<SessionRow>({
    name: "visitor",
    text: FIND_VISITOR,
    values: [id, now, code, isPublishedOffHere()],
  });
  const [row] = rows;
  if (!row) return null;
  const { user_id, last_code, last_mode, last_seen_at, membership, ...person } = row;
  if (now.getTime() - last_seen_at.getTime() > TOUCH_MS) {
    await db.query("update session set last_seen_at = $2 where id = $1", [id, now]);
  }
  const last = last_code && last_mode ? { seller: last_code, mode: last_mode } : null;
  const session = { id, user: { id: user_id, ...person }, last };
  return { session, membership: membership && membershipOf(membership) };
}

/** The session alone, where no seller is asked for. */
export async function findSession(
  db: Database,
  secret: string,
  now = new Date(),
): Promise<Session | null> {
  return (await findVisitor(db, secret, null, now))?.session ?? null;
}

/** With the role as it is today; null for a seller that is not theirs, or is none. */
export async function findMembership(
  db: Database,
  user_id: string,
  code: string,
): Promise<Membership | null> {
  const { rows } = await db.query<SellerRow & Standing>({
    name: "membership",
    text: FIND_MEMBERSHIP,
    values: [user_id, code],
  });
  const [row] = rows;
  if (!row) return null;
  return membershipOf(row);
}

/** The sellers somebody works for, in the order in which they came to them. */
export async function listMemberships(db: Database, user_id: string): Promise<Membership[]> {
  const { rows } = await db.query<SellerRow & Standing>(
    `select ${MEMBERSHIP_COLUMNS}
       from membership m join seller s on s.id = m.seller_id
      where m.user_id = $1 order by m.created_at, s.id`,
    [user_id],
  );
  return rows.map(membershipOf);
}

const membershipOf = ({
  role,
  lacks_second_factor,
  ...seller
}: SellerRow & Standing): Membership => ({ seller, role, lacks_second_factor });

/** For the next visit of an address that names no seller. */
export async function rememberScope(
  db: Database,
  { id, last }: Session,
  { seller, mode }: Scope,
): Promise<void> {
  if (last?.seller === seller && last.mode === mode) return;
  await db.query(
    `update session set seller_id = (select seller.id from seller where code = $2), mode = $3
      where id = $1`,
    [id, seller, mode],
  );
}

const STILL_MAY = `select m.role
       from session a join app_user u on u.id = a.user_id
       join membership m on m.user_id = u.id join seller s on s.id = m.seller_id
      where a.id = $1 and m.seller_id = $2
        and ${stands({ session: "a", user: "u", now: "now()", isOff: "$3" })}
        and not (${lacksSecondFactor({ seller: "s", member: "m" })})`;

/** Whether that session may do it now: for what goes on after the request that it came with. */
export async function stillMay(
  db: Database,
  { id }: Pick<Session, "id">,
  seller_id: string,
  permission: Permission,
): Promise<boolean> {
  const { rows } = await db.query<{ role: Role }>({
    name: "still_may",
    text: STILL_MAY,
    values: [id, seller_id, isPublishedOffHere()],
  });
  const [standing] = rows;
  return standing !== undefined && can(standing.role, permission);
}

export async function revokeSession(db: Database, secret: string, now = new Date()) {
  await db.query("update session set revoked_at = $2 where id = $1 and revoked_at is null", [
    secretId(secret),
    now,
  ]);
}

/** Ends all of somebody's sessions but one, at once. @returns how many were ended */
export async function revokeSessionsOf(
  db: Database,
  user_id: string,
  { except = null, now = new Date() }: { except?: Buffer | null; now?: Date } = {},
): Promise<number> {
  const { rowCount } = await db.query(
    `update session set revoked_at = $2
      where user_id = $1 and revoked_at is null and id is distinct from $3`,
    [user_id, now, except],
  );
  return rowCount ?? 0;
}
