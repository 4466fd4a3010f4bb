import "server-only";
import type { Database } from "#lib/db/pool.ts";
import { isPublishedPasswordOffHere } from "#lib/env.ts";
import type { AmountStyle } from "#lib/format/format.ts";
import type { Language, SecondCalendar } from "#lib/i18n/languages.ts";
import { can, type Permission, type Role } from "#lib/auth/permissions.ts";
import { isPublishedPasswordClosedSql } from "#lib/auth/sessions/published-password.ts";
import type { Mode, Scope } from "#lib/scope.ts";
import { newSecret, hashSessionSecret } from "./visit.ts";

const HOUR = 3_600_000;
export const SESSION_SECONDS = 7 * 24 * 3_600;
export const IDLE_MS = 12 * HOUR;
const TOUCH_MS = 60_000;

export interface Person {
  id: string;
  name: string;
  email: string;
  /** The language of the pages; null for the browser's. */
  language: Language | null;
  /** A calendar whose dates are shown next to Gregorian ones. */
  second_calendar: SecondCalendar | null;
  /** Whether single-key shortcuts are on. */
  character_keys: boolean;
  /** True once the person finished or dismissed the tour. */
  has_left_tour: boolean;
}

/** A signed-in person. Permissions depend on the seller: see findMembership. */
export interface Session {
  /** The row's key, a hash of the cookie's secret. */
  id: Buffer;
  user: Person;
  /** The last visited seller and mode, for URLs without a scope. */
  last: Scope | null;
}

interface SellerRow {
  id: string;
  code: string;
  name: string;
  time_zone: string;
  /** The currency of amounts that name none. */
  currency: string;
  amount_style: AmountStyle;
  /** The page that buyers return to after the checkout, unless the subscription has its own. */
  return_url: string | null;
  /** Why buyers leave: names of standard reasons, or the seller's words. */
  leave_reasons: string[];
  /** Whether a cancellation needs a reason. */
  needs_leave_reason: boolean;
  /** Whether every member of the team needs a second factor. */
  demands_second_factor: boolean;
}

interface RoleStatus {
  role: Role;
  /** True if the seller requires a second factor and the person has none. */
  lacks_second_factor: boolean;
}

/**
 * An SQL condition on a row of `membership` and its seller: the only place that defines who lacks a required
 * second factor.
 * @param names SQL names of the two tables
 */
export const lacksSecondFactorSql = ({ seller, member }: { seller: string; member: string }) =>
  `${seller}.demands_second_factor and not exists (
     select 1 from second_factor f
      where f.user_id = ${member}.user_id and f.confirmed_at is not null)`;

const MEMBERSHIP_COLUMNS = `s.id, s.code, s.name, s.time_zone, s.currency, s.amount_style, s.return_url,
            s.leave_reasons, s.needs_leave_reason, s.demands_second_factor, m.role,
            ${lacksSecondFactorSql({ seller: "s", member: "m" })} as lacks_second_factor`;

export interface Membership extends RoleStatus {
  seller: SellerRow;
}

/** A session and the person's membership of the requested seller; null if they are no member. */
export interface Visitor {
  session: Session;
  membership: Membership | null;
}

interface SessionRow extends Omit<Person, "id"> {
  user_id: string;
  last_code: string | null;
  last_mode: Mode | null;
  last_seen_at: Date;
  membership: (SellerRow & RoleStatus) | null;
}

/** Where a session was started, for the list of sessions. */
interface SessionOrigin {
  user_agent?: string | null;
  address?: string | null;
}

interface NewSession extends SessionOrigin {
  user_id: string;
  /** The secret of the session that this one replaces. */
  replaced?: string | null;
}

// The statement also deletes a few expired sessions, so that they do not accumulate.
const CREATE_SESSION = `with replaced as (
         update session set revoked_at = $3 where id = $7 and revoked_at is null),
       old as (
         delete from session
          where id in (select id from session where expires_at < $8 and id <> $7 limit 20))
       insert into session (id, user_id, created_at, last_seen_at, expires_at, user_agent, address)
       values ($1, $2, $3, $3, $4, $5, $6)`;

/** Returns the 256-bit secret for the cookie; only its hash is stored. */
export async function createSession(
  db: Database,
  { user_id, user_agent = null, address = null, replaced = null }: NewSession,
  now = new Date(),
): Promise<string> {
  const secret = newSecret();
  const expires = new Date(now.getTime() + SESSION_SECONDS * 1000);
  const longOver = new Date(now.getTime() - SESSION_SECONDS * 1000);
  await db.query({
    name: "create_session",
    text: CREATE_SESSION,
    values: [
      hashSessionSecret(secret),
      user_id,
      now,
      expires,
      user_agent?.slice(0, 300) ?? null,
      address,
      hashSessionSecret(replaced ?? ""),
      longOver,
    ],
  });
  return secret;
}

/**
 * An SQL condition on rows of `session` and `app_user`: whether the session is valid. This is the only place that
 * defines it. lacksSecondFactorSql checks the second factor of a membership.
 * @param names SQL names of the two tables, the current time and whether the published password is off
 */
export const isSessionValidSql = ({
  session,
  user,
  now,
  isOff,
}: Record<"session" | "user" | "now" | "isOff", string>) =>
  `${session}.revoked_at is null and ${session}.expires_at > ${now}
        and ${session}.last_seen_at > ${now} - interval '${IDLE_MS} milliseconds'
        and ${isPublishedPasswordClosedSql({ user, isOff })} is not true`;

// A named (prepared) statement: every request runs it, and planning costs more than running. It includes the
// membership, which saves a second round trip.
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
        and ${isSessionValidSql({ session: "a", user: "u", now: "$2::timestamptz", isOff: "$4" })}`;
const FIND_MEMBERSHIP = `select ${MEMBERSHIP_COLUMNS}
       from membership m join seller s on s.id = m.seller_id
      where m.user_id = $1 and s.code = $2`;

/**
 * The session and the person's current membership; null when the session has ended.
 * @param code the seller's code
 */
export async function findVisitor(
  db: Database,
  secret: string,
  code: string | null,
  now = new Date(),
): Promise<Visitor | null> {
  const id = hashSessionSecret(secret);
  const { rows } = await db.query<SessionRow>({
    name: "visitor",
    text: FIND_VISITOR,
    values: [id, now, code, isPublishedPasswordOffHere()],
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

export async function findSession(
  db: Database,
  secret: string,
  now = new Date(),
): Promise<Session | null> {
  return (await findVisitor(db, secret, null, now))?.session ?? null;
}

/** The membership with its current role; null if the seller does not exist or the person is no member. */
export async function findMembership(
  db: Database,
  user_id: string,
  code: string,
): Promise<Membership | null> {
  const { rows } = await db.query<SellerRow & RoleStatus>({
    name: "membership",
    text: FIND_MEMBERSHIP,
    values: [user_id, code],
  });
  const [row] = rows;
  if (!row) return null;
  return membershipOf(row);
}

/** A person's memberships, oldest first. */
export async function listMemberships(db: Database, user_id: string): Promise<Membership[]> {
  const { rows } = await db.query<SellerRow & RoleStatus>(
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
}: SellerRow & RoleStatus): Membership => ({ seller, role, lacks_second_factor });

/** Saves the last visited seller and mode, for URLs without a scope. */
export async function saveLastScope(
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
        and ${isSessionValidSql({ session: "a", user: "u", now: "now()", isOff: "$3" })}
        and not (${lacksSecondFactorSql({ seller: "s", member: "m" })})`;

/**
 * Whether the session is still valid and permitted. Needed by work that outlives its request, such
 * as files.
 */
export async function isSessionStillAllowed(
  db: Database,
  { id }: Pick<Session, "id">,
  seller_id: string,
  permission: Permission,
): Promise<boolean> {
  const { rows } = await db.query<{ role: Role }>({
    name: "still_may",
    text: STILL_MAY,
    values: [id, seller_id, isPublishedPasswordOffHere()],
  });
  const [member] = rows;
  return member !== undefined && can(member.role, permission);
}

export async function revokeSession(db: Database, secret: string, now = new Date()) {
  await db.query("update session set revoked_at = $2 where id = $1 and revoked_at is null", [
    hashSessionSecret(secret),
    now,
  ]);
}

/** Ends all sessions of a person, except one if given. @returns how many ended */
export async function revokeAllSessions(
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
