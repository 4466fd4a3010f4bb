import { getTranslations } from "next-intl/server";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { HandOverCard, RequireSecondFactorCard } from "#components/team/owner-cards.tsx";
import { InvitationList } from "#components/team/invitation-list.tsx";
import { InviteMember } from "#components/team/invite.tsx";
import { MemberList } from "#components/team/member-list.tsx";
import { RoleTable } from "#components/team/roles.tsx";
import { can } from "#lib/auth/permissions.ts";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { isMailConfigured } from "#lib/mail.ts";
import { getTeam } from "#lib/team/data.ts";

export const generateMetadata = pageTitle("team.title");

export default async function TeamPage({ params }: { params: ScopeParams }) {
  const { scope, user, role } = await sellerPage(params, "team:read");
  const { members, invitations, has_password, demands_second_factor } = await getTeam(scope);
  const t = await getTranslations("team");
  const others = members.filter(({ user_id }) => user_id !== user.id);
  return (
    <ClientMessages of="settings/team">
      <div className="grid gap-4">
        <div className="flex items-center justify-between gap-4">
          <p className="text-muted">{t("people", { count: members.length })}</p>
          <InviteMember canMail={isMailConfigured()} />
        </div>
        <MemberList members={members} userId={user.id} hasPassword={has_password} />
        <InvitationList invitations={invitations} />
        {can(role, "team:protect") && (
          <RequireSecondFactorCard
            isDemanded={demands_second_factor}
            lacking={members.filter((one) => !one.has_second_factor).length}
            hasPassword={has_password}
          />
        )}
        {can(role, "ownership:hand-over") && (
          <HandOverCard others={others} hasPassword={has_password} />
        )}
        <RoleTable />
      </div>
    </ClientMessages>
  );
}
