import "server-only";
import type pg from "pg";
import { hasPassword } from "#lib/auth/guards/confirm-person.ts";
import { createInvitation, revokeInvitationsBy } from "#lib/auth/sign-in/invitation.ts";
import { canAssign, ROLES, type InvitedRole, type Role } from "#lib/auth/permissions.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { revokeAllSessions } from "#lib/auth/sessions/session.ts";
import { AppError } from "#lib/failure.ts";
import { database, inTransaction, type Database } from "#lib/db/pool.ts";
import { message } from "#lib/i18n/message.ts";
import {
  roleChangeRefusal,
  handOverRefusal,
  leaveRefusal,
  type Member,
  type PendingInvitation,
  type TeamRefusal,
  type RolesByPerson,
} from "./rules.ts";

export interface Team {
  members: Member[];
  invitations: PendingInvitation[];
  /** Whether the current person has a password. */
  has_password: boolean;
  demands_second_factor: boolean;
}

export async function getTeam(scope: Scope): Promise<Team> {
  const { seller, user } = await requireSeller(scope, "team:read");
  const [members, invitations, has_password] = await Promise.all([
    listMembers(database(), seller.id),
    listPendingInvitations(database(), seller.id),
    hasPassword(database(), user.id),
  ]);
  const { demands_second_factor } = seller;
  return { members, invitations, has_password, demands_second_factor };
}

export async function listMembers(db: Database, seller_id: string): Promise<Member[]> {
  const { rows } = await db.query<
    Omit<Member, "since" | "last_seen"> & { since: Date; last_seen: Date | null }
  >(
    `select u.id as user_id, u.name, u.email, m.role, m.created_at as since,
            (select max(last_seen_at) from session where session.user_id = u.id) as last_seen,
            exists (select 1 from second_factor f
                     where f.user_id = u.id and f.confirmed_at is not null) as has_second_factor
       from membership m join app_user u on u.id = m.user_id
      where m.seller_id = $1
      order by array_position($2::text[], m.role), m.created_at, u.id`,
    [seller_id, ROLES],
  );
  return rows.map(({ since, last_seen, ...member }) => ({
    ...member,
    since: since.toISOString(),
    last_seen: last_seen?.toISOString() ?? null,
  }));
}

export async function listPendingInvitations(
  db: Database,
  seller_id: string,
  now = new Date(),
): Promise<PendingInvitation[]> {
  const { rows } = await db.query<Omit<PendingInvitation, "expires_at"> & { expires_at: Date }>(
    `select i.id, i.role, i.for_whom, u.name as inviter, i.expires_at
       from invitation i join app_user u on u.id = i.invited_by
      where i.seller_id = $1 and i.accepted_at is null and i.revoked_at is null
        and i.expires_at > $2
      order by i.created_at desc, i.id`,
    [seller_id, now],
  );
  return rows.map(({ expires_at, ...invitation }) => ({
    ...invitation,
    expires_at: expires_at.toISOString(),
  }));
}

const DAY_MS = 86_400_000;
// The most invitations a day, because each can send mail to an uninvolved person.
const MOST_A_DAY = 50;

/** @returns the secret for the link; only its hash is stored */
export async function inviteMember(
  pool: pg.Pool,
  invitation: { seller_id: string; by: string; role: InvitedRole; for_whom: string | null },
  now = new Date(),
): Promise<{ id: string; token: string }> {
  const { seller_id, by, role } = invitation;
  return changeTeam(pool, seller_id, async (client, roles) => {
    const own = roles.get(by);
    refuseIf(own && canAssign(own, role) ? null : "above_own_role");
    const { rowCount } = await client.query(
      "select 1 from invitation where invited_by = $1 and created_at > $2",
      [by, new Date(now.getTime() - DAY_MS)],
    );
    refuseIf((rowCount ?? 0) < MOST_A_DAY ? null : "too_many_invitations");
    return createInvitation(client, invitation, now);
  });
}

interface Change {
  seller_id: string;
  /** The member who makes the change. */
  actor: string;
  /** The member who is changed. */
  member: string;
}

/**
 * Changes a role and ends the person's sessions, so that the role takes effect at once.
 * @returns the earlier role
 */
export async function changeRole(
  pool: pg.Pool,
  { seller_id, actor, member, role }: Change & { role: Role },
  now = new Date(),
): Promise<Role> {
  return changeTeam(pool, seller_id, async (client, roles) => {
    refuseIf(roleChangeRefusal(roles, actor, member, role));
    const before = roles.get(member) ?? role;
    if (before !== role) await setRole(client, { seller_id, user_id: member, role });
    if (ROLES.indexOf(role) > ROLES.indexOf(before))
      await revokeInvitationsBy(client, { seller_id, user_id: member }, now);
    if (before !== role) await revokeAllSessions(client, member, { now });
    return before;
  });
}

/**
 * Removes a member, ends the person's sessions and revokes their invitations.
 * @returns the earlier role
 */
export async function removeMember(
  pool: pg.Pool,
  { seller_id, actor, member }: Change,
  now = new Date(),
): Promise<Role | null> {
  return changeTeam(pool, seller_id, async (client, roles) => {
    refuseIf(roleChangeRefusal(roles, actor, member, null));
    await deleteMember(client, { seller_id, user_id: member }, now);
    await revokeAllSessions(client, member, { now });
    return roles.get(member) ?? null;
  });
}

/** Leaves the team. The session is kept, because the person may belong to other sellers. */
export async function leaveTeam(
  pool: pg.Pool,
  { seller_id, user_id }: { seller_id: string; user_id: string },
  now = new Date(),
): Promise<void> {
  await changeTeam(pool, seller_id, async (client, roles) => {
    refuseIf(leaveRefusal(roles, user_id));
    await deleteMember(client, { seller_id, user_id }, now);
  });
}

/**
 * Makes the member an owner and the present owner an admin.
 * @param session the present owner's session, which is kept; all other sessions of both end
 */
export async function handOverOwnership(
  pool: pg.Pool,
  { seller_id, actor, member, session }: Change & { session: Buffer },
  now = new Date(),
): Promise<void> {
  await changeTeam(pool, seller_id, async (client, roles) => {
    refuseIf(handOverRefusal(roles, actor, member));
    await setRole(client, { seller_id, user_id: member, role: "owner" });
    await setRole(client, { seller_id, user_id: actor, role: "admin" });
    await revokeInvitationsBy(client, { seller_id, user_id: actor }, now);
    await revokeAllSessions(client, member, { now });
    await revokeAllSessions(client, actor, { except: session, now });
  });
}

/**
 * Requires a second factor of the whole team, or stops requiring it. To require it, the caller must
 * have one, or would be locked out.
 */
export async function demandSecondFactor(
  db: Database,
  { seller_id, actor, is_demanded }: { seller_id: string; actor: string; is_demanded: boolean },
): Promise<void> {
  const { rowCount } = await db.query(
    `update seller set demands_second_factor = $2
      where id = $1 and (not $2 or exists (
        select 1 from second_factor where user_id = $3 and confirmed_at is not null))`,
    [seller_id, is_demanded, actor],
  );
  if (rowCount !== 1)
    throw new AppError({ kind: "conflict", detail: message("team.secondFactor.ownFirst") });
}

/** Locks the team, so that its members do not change between read and write. */
function changeTeam<Value>(
  pool: pg.Pool,
  seller_id: string,
  run: (client: Database, roles: RolesByPerson) => Promise<Value>,
): Promise<Value> {
  return inTransaction(pool, async (client) => {
    await client.query("select 1 from seller where id = $1 for no key update", [seller_id]);
    const { rows } = await client.query<{ user_id: string; role: Role }>(
      "select user_id, role from membership where seller_id = $1",
      [seller_id],
    );
    return run(client, new Map(rows.map(({ user_id, role }) => [user_id, role])));
  });
}

function refuseIf(refusal: TeamRefusal | null) {
  if (refusal === "above_own_role") throw new AppError({ kind: "forbidden" });
  if (refusal)
    throw new AppError({ kind: "conflict", detail: message(`team.refusals.${refusal}`) });
}

interface Place {
  seller_id: string;
  user_id: string;
}

async function setRole(db: Database, { seller_id, user_id, role }: Place & { role: Role }) {
  await db.query("update membership set role = $3 where seller_id = $1 and user_id = $2", [
    seller_id,
    user_id,
    role,
  ]);
}

async function deleteMember(db: Database, place: Place, now: Date) {
  await db.query("delete from membership where seller_id = $1 and user_id = $2", [
    place.seller_id,
    place.user_id,
  ]);
  await revokeInvitationsBy(db, place, now);
}
