"use server";

import { getTranslations } from "next-intl/server";
import * as z from "zod";
import { writeAudit } from "#lib/auth/guards/write-audit.ts";
import { confirmRequestPerson } from "#lib/auth/guards/confirm-person.ts";
import {
  acceptInvitation,
  revokeInvitation,
  type Acceptance,
} from "#lib/auth/sign-in/invitation.ts";
import { canAssign, INVITED_ROLES, ROLES } from "#lib/auth/permissions.ts";
import { personAction } from "#lib/auth/guards/action.ts";
import { Password } from "#lib/auth/credentials/person-fields.ts";
import { scopePath } from "#lib/scope.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { AppError } from "#lib/failure.ts";
import { database, inTransaction } from "#lib/db/pool.ts";
import { availableModes, env } from "#lib/env.ts";
import { message } from "#lib/i18n/message.ts";
import { isMailConfigured, sendMail } from "#lib/mail.ts";
import { lineField } from "#lib/text/line-field.ts";
import {
  changeRole,
  demandSecondFactor,
  handOverOwnership,
  inviteMember,
  leaveTeam,
  removeMember,
} from "./data.ts";
import { invitationMail } from "./rules.ts";

const Person = z.object({ user_id: z.uuid() });

const Invitation = z.object({
  role: z.enum(INVITED_ROLES, message("team.role.missing")),
  /** Whom the invitation is for: a note, or the email address that gets the link. */
  for_whom: lineField(254),
  is_mailed: z.boolean(),
});

/** @returns the link, which is shown only once, its recipient, and whether it was mailed */
export const inviteMemberAction = sellerAction({
  name: "team.invite",
  permission: "team:write",
  input: Invitation.refine(
    ({ is_mailed, for_whom }) => !is_mailed || z.email().safeParse(for_whom).success,
    { path: ["for_whom"], error: message("team.invite.emailMissing") },
  ),
  run: async ({ owner: { seller_id }, seller, user }, input, note) => {
    const { role, is_mailed } = input;
    const for_whom = input.for_whom || null;
    note.detail = { role };
    const wanted = { seller_id, by: user.id, role, for_whom };
    const { id, token } = await inviteMember(database(), wanted);
    note.detail = { role, invitation: id };
    const link = new URL(`/invitation/${token}`, env().NEXTAUTH_URL).href;
    const invitation = { inviter: user.name, seller: seller.name, role, link };
    const mail = invitationMail(await getTranslations("mail"), invitation);
    const was_mailed =
      is_mailed && isMailConfigured() && (await sendMail({ to: input.for_whom, ...mail }));
    return { link, for_whom: input.for_whom, is_mailed, was_mailed };
  },
});

export const revokeInvitationAction = sellerAction({
  name: "team.revoke-invitation",
  permission: "team:write",
  input: z.object({ id: z.uuid() }),
  run: async ({ owner: { seller_id } }, { id }, note) => {
    note.detail = { invitation: id };
    if (await revokeInvitation(database(), { seller_id, id })) return null;
    throw new AppError({ kind: "conflict", detail: message("team.invitations.notOpen") });
  },
});

export const changeRoleAction = sellerAction({
  name: "team.change-role",
  permission: "team:write",
  input: Person.extend({
    role: z.enum(ROLES, message("team.role.missing")),
    current_password: Password.default(""),
  }),
  run: async (seller, { user_id, role, current_password }, note) => {
    const { owner, user } = seller;
    const { seller_id } = owner;
    note.detail = { member: user_id, role };
    // A new owner can remove all others, so this asks for the password like a transfer of ownership.
    if (role === "owner") {
      if (!canAssign(seller.role, role)) throw new AppError({ kind: "forbidden" });
      await confirmRequestPerson(seller.session, current_password);
    }
    const change = { seller_id, actor: user.id, member: user_id, role };
    const role_before = await changeRole(database(), change);
    note.detail = { member: user_id, role_before, role };
    return null;
  },
});

export const removeMemberAction = sellerAction({
  name: "team.remove",
  permission: "team:write",
  input: Person,
  run: async ({ owner: { seller_id }, user }, { user_id }, note) => {
    note.detail = { member: user_id };
    const change = { seller_id, actor: user.id, member: user_id };
    const role_before = await removeMember(database(), change);
    note.detail = { member: user_id, role_before };
    return null;
  },
});

export const handOverAction = sellerAction({
  name: "ownership.hand-over",
  permission: "ownership:hand-over",
  input: Person.extend({ current_password: Password }),
  run: async (seller, { user_id, current_password }, note) => {
    const { owner, user, session } = seller;
    note.detail = { member: user_id };
    await confirmRequestPerson(session, current_password);
    const { seller_id } = owner;
    const change = { seller_id, actor: user.id, member: user_id, session: session.id };
    await handOverOwnership(database(), change);
    return null;
  },
});

export const demandSecondFactorAction = sellerAction({
  name: "team.demand-second-factor",
  permission: "team:protect",
  input: z.object({ is_demanded: z.boolean(), current_password: Password }),
  run: async (seller, { is_demanded, current_password }, note) => {
    const { owner, user, session } = seller;
    const second_factor_before = seller.seller.demands_second_factor;
    note.detail = { second_factor_before, second_factor: is_demanded };
    await confirmRequestPerson(session, current_password);
    const { seller_id } = owner;
    await demandSecondFactor(database(), { seller_id, actor: user.id, is_demanded });
    return null;
  },
});

export const leaveTeamAction = sellerAction({
  name: "team.leave",
  permission: "account:manage",
  input: z.object({}),
  run: async ({ owner: { seller_id }, user, role }, _input, note) => {
    note.detail = { role_before: role };
    await leaveTeam(database(), { seller_id, user_id: user.id });
    return null;
  },
});

/** @returns the seller's path; null if the link no longer works, and the page then says why */
export const acceptInvitationAction = personAction({
  input: z.object({ token: z.string().max(100) }),
  run: async ({ user }, { token }) => {
    const accepted = await inTransaction(database(), async (client) => {
      const acceptance = await acceptInvitation(client, { token, user_id: user.id });
      if (acceptance && acceptance.outcome !== "already_member")
        await writeAudit(client, entryOf(acceptance, user.id));
      return acceptance;
    });
    if (!accepted) throw new AppError({ kind: "not_found" });
    if (accepted.outcome === "refused") return { path: null };
    const mode = availableModes().at(-1) ?? "test";
    return { path: scopePath({ seller: accepted.seller.code, mode }, "/subscriptions") };
  },
});

function entryOf({ id, seller, role, state, outcome }: Acceptance, user_id: string) {
  const entry = { seller_id: seller.id, user_id, action: "team.join" };
  return outcome === "joined"
    ? { ...entry, result: "done" as const, detail: { role, invitation: id } }
    : { ...entry, result: "refused" as const, detail: { invitation: id, failure: state } };
}
