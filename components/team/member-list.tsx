"use client";

import { ShieldOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import { initialOf } from "#lib/format/format.ts";
import type { Member } from "#lib/team/rules.ts";
import { Actions, MemberActions } from "./member-actions.tsx";
import { RoleBadge } from "./role-badge.tsx";

interface MemberListProps {
  members: Member[];
  /** The signed-in person. */
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
              <Actions />
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
