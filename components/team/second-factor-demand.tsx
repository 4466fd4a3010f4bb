"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { demandSecondFactorAction } from "#lib/team/actions.ts";

interface SecondFactorDemandProps {
  isDemanded: boolean;
  /** The number of members without a second factor. */
  lacking: number;
  hasPassword: boolean;
}

/** Requires a second factor of every member, or stops requiring it. */
export function SecondFactorDemand({
  isDemanded,
  lacking,
  hasPassword,
}: SecondFactorDemandProps) {
  const t = useTranslations("team.secondFactor");
  const demand = useScopedAction(demandSecondFactorAction);
  const [isOpen, setOpen] = useState(false);
  const label = t(isDemanded ? "release" : "demand");
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 sm:p-5">
      <div className="min-w-0 flex-1 basis-60">
        <CardTitle>{t("title")}</CardTitle>
        <p className="text-sm text-muted">
          {t(isDemanded ? "on" : "off")} {lacking > 0 && t("lacking", { count: lacking })}
        </p>
      </div>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ActionDialog
        noValidate
        title={t(isDemanded ? "releaseTitle" : "demandTitle")}
        label={label}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        action={demand}
        read={(form) => ({
          is_demanded: !isDemanded,
          current_password: fieldText(form, "current_password"),
        })}
      >
        {(error) => (
          <>
            <p className="text-sm text-muted">{t(isDemanded ? "releaseText" : "demandText")}</p>
            <CurrentPassword
              isFirst
              hasPassword={hasPassword}
              error={error("current_password")}
            />
          </>
        )}
      </ActionDialog>
    </Card>
  );
}
