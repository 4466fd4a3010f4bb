"use client";

import { useTranslations } from "next-intl";
import { fieldError, fieldText } from "#components/forms/use-action.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import type { AccountProfile } from "#contract/account.ts";
import { USAGE_TYPES } from "#contract/names.ts";
import type { Failure } from "#lib/failure.ts";

interface AccountFieldsProps {
  account: Pick<AccountProfile, "grace_days" | "api_usage_type" | "approve_payments_above">;
  failure: Failure | null;
}

const USAGE_TEXTS = {
  payment: "usage.types.payment",
  reminder_and_payment: "usage.types.remindersToo",
} as const;

/** Fields for the grace period, the account's purpose and the approval of recorded payments. */
export function AccountFields({ account, failure }: AccountFieldsProps) {
  const t = useTranslations("sellers.account");
  const tOfPayments = useTranslations("byHand.limit");
  const error = (field: string) =>
    fieldError(failure, `own_account.${field}`) ?? fieldError(failure, field);
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        id="grace_days"
        name="grace_days"
        type="number"
        inputMode="numeric"
        min={0}
        max={90}
        label={t("grace.label")}
        hint={t("grace.hint")}
        defaultValue={account.grace_days}
        error={error("grace_days")}
      />
      <SelectField
        id="api_usage_type"
        name="api_usage_type"
        label={t("usage.label")}
        hint={t("usage.hint")}
        defaultValue={account.api_usage_type ?? "payment"}
        error={error("api_usage_type")}
        options={USAGE_TYPES.map((type) => [type, t(USAGE_TEXTS[type])])}
      />
      <TextField
        isOptional
        id="approve_payments_above"
        name="approve_payments_above"
        inputMode="decimal"
        autoComplete="off"
        label={tOfPayments("label")}
        hint={tOfPayments("hint")}
        defaultValue={account.approve_payments_above ?? ""}
        error={error("approve_payments_above")}
        className="sm:col-span-2"
      />
      <p className="text-sm text-muted sm:col-span-2">{t("fee")}</p>
    </div>
  );
}

export const readAccountFields = (form: HTMLFormElement) => ({
  grace_days: fieldText(form, "grace_days"),
  approve_payments_above: fieldText(form, "approve_payments_above"),
  api_usage_type:
    USAGE_TYPES.find((type) => type === fieldText(form, "api_usage_type")) ?? "payment",
});
