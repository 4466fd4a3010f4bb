"use client";

import { useTranslations } from "next-intl";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { useScopedAction } from "#components/forms/use-action.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { leaveTeamAction } from "#lib/team/actions.ts";

/**
 * The form to leave a team. On the account page, because support and viewers cannot open the team
 * page.
 */
export function LeaveSeller() {
  const t = useTranslations("team.leave");
  const { name } = useSeller();
  return (
    <Card className="flex items-center justify-between gap-4 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1">
        <CardTitle>{t("title", { name })}</CardTitle>
        <p className="text-sm text-muted">{t("text")}</p>
      </div>
      <ActionButton
        title={t("title", { name })}
        label={t("label")}
        action={useScopedAction(leaveTeamAction)}
        read={() => ({})}
        // A full load, so that no data of this seller stays in memory.
        onDone={() => window.location.assign("/")}
      >
        {() => <p>{t("consequences", { name })}</p>}
      </ActionButton>
    </Card>
  );
}
