"use client";

import { useTranslations } from "next-intl";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { PasswordButton } from "#components/forms/password-button.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { SelectField } from "#components/ui/forms/fields.tsx";
import { demandSecondFactorAction, handOverAction } from "#lib/team/actions.ts";
import type { Member } from "#lib/team/rules.ts";

interface HandOverProps {
  /** All members except the signed-in owner. */
  others: Member[];
  hasPassword: boolean;
}

/** Transfers ownership. Asks for the password, because a stolen session must not be enough. */
export function HandOverCard({ others, hasPassword }: HandOverProps) {
  const t = useTranslations("team.handOver");
  const { name } = useSeller();
  const handOver = useScopedAction(handOverAction);
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 sm:p-5">
      <div className="min-w-0 flex-1 basis-60">
        <CardTitle>{t("title")}</CardTitle>
        <p className="text-sm text-muted">{others.length > 0 ? t("text") : t("alone")}</p>
      </div>
      <ActionButton
        title={t("dialog", { name })}
        label={t("label")}
        button={{ disabled: others.length === 0 }}
        action={handOver}
        read={(form) => {
          const user_id = fieldText(form, "user_id");
          return user_id === ""
            ? null
            : { user_id, current_password: fieldText(form, "current_password") };
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
              options={others.map(({ user_id, name: person, email }) => [
                user_id,
                t("person", { name: person, email }),
              ])}
            >
              <option value="" disabled>
                {t("choose")}
              </option>
            </SelectField>
            <p className="text-sm text-muted">{t("consequences")}</p>
            <CurrentPassword hasPassword={hasPassword} error={error("current_password")} />
          </>
        )}
      </ActionButton>
    </Card>
  );
}

interface SecondFactorDemandProps {
  isDemanded: boolean;
  /** The number of members without a second factor. */
  lacking: number;
  hasPassword: boolean;
}

/** Requires a second factor of every member, or stops requiring it. */
export function RequireSecondFactorCard({
  isDemanded,
  lacking,
  hasPassword,
}: SecondFactorDemandProps) {
  const t = useTranslations("team.secondFactor");
  return (
    <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-4 sm:p-5">
      <div className="min-w-0 flex-1 basis-60">
        <CardTitle>{t("title")}</CardTitle>
        <p className="text-sm text-muted">
          {t(isDemanded ? "on" : "off")} {lacking > 0 && t("lacking", { count: lacking })}
        </p>
      </div>
      <PasswordButton
        title={t(isDemanded ? "releaseTitle" : "demandTitle")}
        label={t(isDemanded ? "release" : "demand")}
        action={useScopedAction(demandSecondFactorAction)}
        inputOf={(current_password) => ({ is_demanded: !isDemanded, current_password })}
        hasPassword={hasPassword}
      >
        <p className="text-sm text-muted">{t(isDemanded ? "releaseText" : "demandText")}</p>
      </PasswordButton>
    </Card>
  );
}
