"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { useFormat } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Link2 } from "#components/ui/icons.tsx";
import { revokeInvitationAction } from "#lib/team/actions.ts";
import type { PendingInvitation } from "#lib/team/rules.ts";
import { MemberRowActions } from "./member-list.tsx";
import { RoleBadge } from "./roles.tsx";

/** The open invitations; renders nothing without any. */
export function InvitationList({ invitations }: { invitations: PendingInvitation[] }) {
  const t = useTranslations("team.invitations");
  const router = useRouter();
  const { run, isPending, failure } = useSellerAction(revokeInvitationAction);

  async function withdraw(id: string) {
    await run({ id });
    router.refresh();
  }

  if (invitations.length === 0 && !failure) return null;
  return (
    <Card className="pt-4 sm:pt-5">
      <div className="px-4 pb-2 sm:px-5">
        <CardTitle>{t("title")}</CardTitle>
        <FailureNotice failure={failure} />
      </div>
      <ul aria-label={t("title")} className="divide-y">
        {invitations.map((invitation) => (
          <li
            key={invitation.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5"
          >
            <div className="flex min-w-0 flex-1 basis-60 items-center gap-3">
              <span
                aria-hidden
                className="flex size-8 shrink-0 items-center justify-center rounded-full bg-sunken text-muted"
              >
                <Link2 className="size-4" />
              </span>
              <div className="min-w-0">
                <p className="font-medium">{invitation.for_whom ?? t("unnamed")}</p>
                <p className="text-sm text-muted">
                  {t("invitedBy", { name: invitation.inviter })}
                </p>
              </div>
            </div>
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1 max-lg:basis-full max-lg:pl-11 sm:max-lg:order-1">
              <div className="max-sm:basis-full lg:w-24">
                <RoleBadge role={invitation.role} />
              </div>
              <Expiry at={invitation.expires_at} />
            </div>
            <MemberRowActions>
              <Button
                look="quiet"
                disabled={isPending}
                onClick={() => void withdraw(invitation.id)}
                aria-label={
                  invitation.for_whom === null
                    ? t("withdrawUnnamed")
                    : t("withdrawOf", { name: invitation.for_whom })
                }
              >
                {t("withdraw")}
              </Button>
            </MemberRowActions>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Expiry({ at }: { at: string }) {
  const t = useTranslations("team.invitations");
  const format = useFormat();
  return (
    <p className="text-sm text-muted lg:w-40">
      {t.rich("worksUntil", {
        moment: format.dateTime(at),
        label: (text) => <span className="lg:block">{text}</span>,
      })}
    </p>
  );
}
