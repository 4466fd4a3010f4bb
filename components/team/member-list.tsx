"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { useFormat, useSeller } from "#components/context/seller-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { ShieldOff } from "#components/ui/icons.tsx";
import { initialOf } from "#lib/format/format.ts";
import type { Member } from "#lib/team/rules.ts";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { canAssign, type Role, ROLES } from "#lib/auth/permissions.ts";
import { changeRoleAction, removeMemberAction } from "#lib/team/actions.ts";
import { readRole, RoleBadge, RolePicker } from "./roles.tsx";

interface MemberListProps {
  members: Member[];
  /** The id of the signed-in person. */
  userId: string;
  hasPassword: boolean;
}

export function MemberList({ members, userId, hasPassword }: MemberListProps) {
  const t = useTranslations("team.members");
  return (
    <Card>
      <ul aria-label={t("label")} className="divide-y">
        {members.map((member) => (
          <li
            key={member.user_id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5"
          >
            <Person member={member} isSelf={member.user_id === userId} />
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1 max-lg:basis-full max-lg:pl-11 sm:max-lg:order-1">
              <div className="max-sm:basis-full lg:w-24">
                <RoleBadge role={member.role} />
              </div>
              <Presence member={member} />
            </div>
            {member.user_id === userId ? (
              <MemberRowActions />
            ) : (
              <MemberActions member={member} hasPassword={hasPassword} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Person({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const t = useTranslations("team.members");
  return (
    <div className="flex min-w-0 flex-1 basis-60 items-center gap-3">
      <span
        aria-hidden
        className="flex size-8 shrink-0 items-center justify-center rounded-full bg-sunken text-sm font-semibold text-muted"
      >
        {initialOf(member.name)}
      </span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          <span>
            {member.name}
            {isSelf && <span className="font-normal text-muted"> {t("you")}</span>}
          </span>
          {!member.has_second_factor && <Badge icon={ShieldOff}>{t("noSecondFactor")}</Badge>}
        </p>
        <p className="text-sm text-muted">{member.email}</p>
      </div>
    </div>
  );
}

function Presence({ member: { since, last_seen } }: { member: Member }) {
  const t = useTranslations("team.members");
  const format = useFormat();
  const seen = last_seen && format.relativeDay(last_seen);
  return (
    <p className="text-sm text-muted lg:w-40">
      <span className="lg:block">{t("since", { date: format.date(since) })}</span>
      <span className="lg:hidden"> · </span>
      <span className="lg:block">{seen ? t("seen", { day: seen }) : t("notSeen")}</span>
    </p>
  );
}

/** The actions on one member; none if the member's role is above that of the signed-in person. */
function MemberActions({ member, hasPassword }: { member: Member; hasPassword: boolean }) {
  const t = useTranslations("team");
  const { role: own, name: seller } = useSeller();
  const removeMember = useScopedAction(removeMemberAction);
  const changeRole = useScopedAction(changeRoleAction);
  const { user_id, name, role } = member;
  const roles = ROLES.filter((one) => canAssign(own, one));
  if (!canAssign(own, role)) return <MemberRowActions />;
  return (
    <MemberRowActions>
      <ActionButton
        title={t("changeRole.title", { name })}
        label={t("changeRole.label")}
        button={{ look: "quiet", "aria-label": t("changeRole.of", { name }) }}
        action={changeRole}
        read={(form) => {
          const chosen = readRole(form, roles);
          if (!chosen) return null;
          return {
            user_id,
            role: chosen,
            current_password: fieldText(form, "current_password"),
          };
        }}
      >
        {(error) => (
          <RoleFields
            {...{ roles, role, name, hasPassword }}
            error={error("role")}
            passwordError={error("current_password")}
          />
        )}
      </ActionButton>
      <ActionButton
        title={t("remove.title", { name })}
        label={t("remove.label")}
        button={{ look: "quiet", "aria-label": t("remove.title", { name }) }}
        action={removeMember}
        read={() => ({ user_id })}
      >
        {() => <p>{t("remove.text", { name, seller })}</p>}
      </ActionButton>
    </MemberRowActions>
  );
}

interface RoleFieldsProps extends Pick<Member, "name" | "role"> {
  roles: readonly Role[];
  hasPassword: boolean;
  error: string | undefined;
  passwordError: string | undefined;
}

/** Choosing the role of an owner asks for the password. */
function RoleFields(props: RoleFieldsProps) {
  const { roles, role, name, hasPassword, error, passwordError } = props;
  const t = useTranslations("team.changeRole");
  const [chosen, setChosen] = useState(role);
  return (
    <>
      <RolePicker roles={roles} value={role} onChoose={setChosen} error={error} />
      {chosen === "owner" && (
        <CurrentPassword hasPassword={hasPassword} error={passwordError} />
      )}
      <p className="text-sm text-muted">{t("text", { name })}</p>
    </>
  );
}

/** Keeps the columns aligned in rows without actions. */
export function MemberRowActions({ children }: { children?: ReactNode }) {
  return (
    <div className="flex max-lg:empty:hidden max-sm:-ml-4 max-sm:basis-full max-sm:pl-11 sm:justify-end lg:w-52">
      {children}
    </div>
  );
}
