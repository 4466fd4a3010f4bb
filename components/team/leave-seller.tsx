"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { useScopedAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { leaveTeamAction } from "#lib/team/actions.ts";

/** On the account page, because support and viewers cannot open the team page. */
export function LeaveSeller() {
  const t = useTranslations("team.leave");
  const { name } = useSeller();
  const leaveTeam = useScopedAction(leaveTeamAction);
  const [isOpen, setOpen] = useState(false);
  return (
    <Card className="flex items-center justify-between gap-4 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1">
        <CardTitle>{t("title", { name })}</CardTitle>
        <p className="text-sm text-muted">{t("text")}</p>
      </div>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {t("label")}
      </Button>
      <ActionDialog
        title={t("title", { name })}
        label={t("label")}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        action={leaveTeam}
        read={() => ({})}
        // A full load, so that no data of this seller stays in memory.
        onDone={() => window.location.assign("/")}
      >
        {() => <p>{t("consequences", { name })}</p>}
      </ActionDialog>
    </Card>
  );
}
