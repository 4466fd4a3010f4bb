"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { SelectField } from "#components/ui/forms/fields.tsx";
import { handOverAction } from "#lib/team/actions.ts";
import type { Member } from "#lib/team/rules.ts";

interface HandOverProps {
  /** All members except the current owner. */
  others: Member[];
  hasPassword: boolean;
}

/** Asks for the password, so that a stolen session is not enough. */
export function HandOver({ others, hasPassword }: HandOverProps) {
  const t = useTranslations("team.handOver");
  const { name } = useSeller();
  const handOver = useScopedAction(handOverAction);
  const [isOpen, setOpen] = useState(false);
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 sm:p-5">
      <div className="min-w-0 flex-1 basis-60">
        <CardTitle>{t("title")}</CardTitle>
        <p className="text-sm text-muted">{others.length > 0 ? t("text") : t("alone")}</p>
      </div>
      <Button
        disabled={others.length === 0}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {t("label")}
      </Button>
      <ActionDialog
        title={t("dialog", { name })}
        label={t("label")}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        action={handOver}
        read={(form) => {
          const chosen = new FormData(form).get("user_id");
          if (typeof chosen !== "string" || chosen === "") return null;
          return { user_id: chosen, current_password: fieldText(form, "current_password") };
        }}
      >
        {(error) => (
          <>
            <SelectField
              ref={initialFocus}
              id="new-owner"
              name="user_id"
              label={t("newOwner")}
              required
              defaultValue=""
            >
              <option value="" disabled>
                {t("choose")}
              </option>
              {others.map(({ user_id, name: person, email }) => (
                <option key={user_id} value={user_id}>
                  {t("person", { name: person, email })}
                </option>
              ))}
            </SelectField>
            <p className="text-sm text-muted">{t("consequences")}</p>
            <CurrentPassword hasPassword={hasPassword} error={error("current_password")} />
          </>
        )}
      </ActionDialog>
    </Card>
  );
}
