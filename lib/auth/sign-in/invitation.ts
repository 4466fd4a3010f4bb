import "server-only";
import { concernsRow } from "#contract/process/database.ts";
import { singleRow, type Database } from "#lib/db/pool.ts";
import { canAssign, type InvitedRole, type Role } from "#lib/auth/permissions.ts";
import { newSecret, hashSessionSecret } from "#lib/auth/sessions/visit.ts";

const DAY_MS = 86_400_000;
const INVITATION_DAYS = 7;

/** An invitation is also `revoked` if its inviter may no longer invite. */
export type InvitationState = "open" | "used" | "expired" | "revoked";

export interface Invitation {
  id: string;
  state: InvitationState;
  role: InvitedRole;
  seller: { id: string; code: string; name: string };
  inviter: string;
  /** Whether an account was created by this invitation. */
  has_registered: boolean;
}

interface InvitationRow {
  id: string;
  role: InvitedRole;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
  registered_at: Date | null;
  seller_id: string;
  code: string;
  name: string;
  inviter: string | null;
  inviter_role: Role | null;
}

/** Returns the id, and the 256-bit secret for the link, of which only the hash is stored. */
export async function createInvitation(
  db: Database,
  invitation: { seller_id: string; by: string; role: InvitedRole; for_whom: string | null },
  now = new Date(),
): Promise<{ id: string; token: string }> {
  const token = newSecret();
  const { seller_id, by, role, for_whom } = invitation;
  const expires = new Date(now.getTime() + INVITATION_DAYS * DAY_MS);
  const { rows } = await db.query<{ id: string }>(
    `insert into invitation
       (token_hash, seller_id, role, for_whom, invited_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning id`,
    [hashSessionSecret(token), seller_id, role, for_whom, by, now, expires],
  );
  return { id: singleRow(rows).id, token };
}

/** The invitation of a link; null for an unknown link. */
export async function findInvitation(
  db: Database,
  token: string,
  now = new Date(),
): Promise<Invitation | null> {
  const { rows } = await db.query<InvitationRow>(
    `select i.id, i.role, i.expires_at, i.accepted_at, i.revoked_at, i.registered_at,
            s.id as seller_id, s.code, s.name, u.name as inviter, m.role as inviter_role
       from invitation i
       join seller s on s.id = i.seller_id
       left join app_user u on u.id = i.invited_by
       left join membership m on m.user_id = i.invited_by and m.seller_id = i.seller_id
      where i.token_hash = $1`,
    [hashSessionSecret(token)],
  );
  const [row] = rows;
  if (!row) return null;
  const { id, role, seller_id, code, name, inviter } = row;
  const seller = { id: seller_id, code, name };
  const has_registered = row.registered_at !== null;
  return { id, role, seller, inviter: inviter ?? "", state: stateOf(row, now), has_registered };
}

function stateOf(row: InvitationRow, now: Date): InvitationState {
  if (row.accepted_at) return "used";
  const mayInvite = row.inviter_role !== null && canAssign(row.inviter_role, row.role);
  if (row.revoked_at || !mayInvite) return "revoked";
  return row.expires_at <= now ? "expired" : "open";
}

export type Acceptance = Invitation & { outcome: "joined" | "already_member" | "refused" };

/** Needs a transaction: of two people who use a link at once, one joins. Null for an unknown link. */
export async function acceptInvitation(
  db: Database,
  { token, user_id }: { token: string; user_id: string },
  now = new Date(),
): Promise<Acceptance | null> {
  // Other changes of the team lock the same row.
  await db.query(
    `select 1 from seller where id = (select seller_id from invitation where token_hash = $1)
        for no key update`,
    [hashSessionSecret(token)],
  );
  const invitation = await findInvitation(db, token, now);
  if (!invitation) return null;
  const { id, seller, role, state } = invitation;
  const { rowCount } = await db.query(
    "select 1 from membership where user_id = $1 and seller_id = $2",
    [user_id, seller.id],
  );
  if (rowCount) return { ...invitation, outcome: "already_member" };
  if (state !== "open") return { ...invitation, outcome: "refused" };
  await db.query(
    "insert into membership (user_id, seller_id, role, created_at) values ($1, $2, $3, $4)",
    [user_id, seller.id, role, now],
  );
  await db.query("update invitation set accepted_at = $2, accepted_by = $3 where id = $1", [
    id,
    now,
    user_id,
  ]);
  return { ...invitation, outcome: "joined" };
}

const OPEN = "accepted_at is null and revoked_at is null";

/** @returns false if there is none, or it was used or revoked already */
export const revokeInvitation = (
  db: Database,
  { seller_id, id }: { seller_id: string; id: string },
  now = new Date(),
) =>
  concernsRow(
    db,
    `update invitation set revoked_at = $3 where seller_id = $1 and id = $2 and ${OPEN}`,
    [seller_id, id, now],
  );

/** Revokes the invitations of a person who may no longer invite; they stay revoked if the person returns. */
export async function revokeInvitationsBy(
  db: Database,
  { seller_id, user_id }: { seller_id: string; user_id: string },
  now = new Date(),
): Promise<void> {
  await db.query(
    `update invitation set revoked_at = $3 where seller_id = $1 and invited_by = $2 and ${OPEN}`,
    [seller_id, user_id, now],
  );
}
