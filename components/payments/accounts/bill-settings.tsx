"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ScopedLink, usePermission } from "#components/context/seller-context.tsx";
import { LeaveGuard } from "#components/forms/leave-guard.tsx";
import {
  FailureNotice,
  fieldText,
  unshownFailure,
  useActionForm,
  useScopedAction,
} from "#components/forms/use-action.tsx";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { SubmitButton } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Checkbox, SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { Check, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { FISCAL_YEARS } from "#contract/names.ts";
import { saveBillSettingsAction } from "#lib/payments/bills/actions.ts";
import type { BillSettingsResult } from "#lib/payments/bills/rules.ts";

const SHOWN: ReadonlySet<string> = new Set(["pan", "address", "prefix"]);

/**
 * The settings of bills that are issued from now on: their kind, texts and numbers, and whether they are
 * sent.
 */
export function BillSettingsCard({ result }: { result: BillSettingsResult }) {
  const t = useTranslations("bills");
  if ("failure" in result) return <RefreshFailure failure={result.failure} />;
  return (
    <Card aria-labelledby="bills" className="mt-6 grid max-w-3xl gap-4 p-4 sm:p-5">
      <div className="grid gap-1">
        <CardTitle id="bills">{t("title")}</CardTitle>
        {"absence" in result ? (
          <p className="text-pretty text-muted">
            {t(result.absence === "elsewhere" ? "elsewhere" : "notOffered")}
          </p>
        ) : (
          <p className="text-pretty text-muted">
            {t("intro")} {t("eachMode")}
          </p>
        )}
      </div>
      {"settings" in result && <BillForm {...result} />}
    </Card>
  );
}

type BillFormProps = Extract<BillSettingsResult, { settings: unknown }>;

function BillForm({ settings, has_channel }: BillFormProps) {
  const t = useTranslations("bills");
  const mayWrite = usePermission("connection:write");
  // The settings as saved last: newer than those of the page until it is loaded again.
  const [saved, setSaved] = useState(settings);
  const [sends, setSends] = useState(settings.sends_bills);
  const [state, setState] = useState<"unchanged" | "changed" | "saved">("unchanged");
  const { form, isPending, failure, error } = useActionForm(
    useScopedAction(saveBillSettingsAction),
    {
      read: (fields) => {
        const year = FISCAL_YEARS.find((one) => one === fieldText(fields, "fiscal_year"));
        return {
          version: saved.version,
          issues_vat_bills: fieldText(fields, "issues_vat_bills") !== "",
          pan: fieldText(fields, "pan"),
          address: fieldText(fields, "address"),
          fiscal_year: year === saved.fiscal_year ? undefined : year,
          prefix: fieldText(fields, "prefix"),
          sends_bills: sends,
        };
      },
      onDone: (changed) => {
        setSaved(changed);
        setState("saved");
      },
    },
  );
  return (
    <form {...form} noValidate onChange={() => setState("changed")}>
      <LeaveGuard isDirty={state === "changed"} />
      <FailureNotice failure={unshownFailure(failure, SHOWN)} />
      <fieldset disabled={!mayWrite} className="grid gap-4 sm:grid-cols-2">
        <Checkbox
          className="sm:col-span-2"
          name="issues_vat_bills"
          label={t("vat.label")}
          hint={t("vat.hint")}
          defaultChecked={saved.issues_vat_bills}
        />
        <TextField
          id="bill-pan"
          name="pan"
          inputMode="numeric"
          autoComplete="off"
          label={t("pan.label")}
          hint={
            saved.verified_pan === null
              ? t("pan.hint")
              : t("pan.verified", { pan: saved.verified_pan })
          }
          defaultValue={saved.pan ?? ""}
          error={error("pan")}
        />
        <TextField
          isOptional
          id="bill-address"
          name="address"
          autoComplete="street-address"
          label={t("address.label")}
          hint={
            saved.verified_address === null
              ? t("address.hint")
              : t("address.verified", { address: saved.verified_address })
          }
          defaultValue={saved.address ?? ""}
          error={error("address")}
        />
        <SelectField
          id="bill-year"
          name="fiscal_year"
          label={t("year.label")}
          hint={
            saved.fiscal_year === "nepal"
              ? `${t("year.hint")} ${t("year.later")}`
              : t("year.hint")
          }
          defaultValue={saved.fiscal_year}
          options={FISCAL_YEARS.map((year) => [year, t(`year.types.${year}`)])}
        />
        <TextField
          isOptional
          // Remounts after a save, to show the prefix in the capitals that were saved.
          key={saved.prefix}
          id="bill-prefix"
          name="prefix"
          autoComplete="off"
          autoCapitalize="characters"
          label={t("prefix.label")}
          hint={t("prefix.hint")}
          defaultValue={saved.prefix}
          error={error("prefix")}
        />
        <Checkbox
          className="sm:col-span-2"
          name="sends_bills"
          label={t("send.label")}
          hint={t("send.hint")}
          checked={sends}
          onChange={(event) => setSends(event.target.checked)}
        />
        {sends && has_channel === false && (
          <Notice look="warning" icon={TriangleAlert} className="sm:col-span-2">
            <p>{t("send.noChannel")}</p>
            <ScopedLink href="/settings/messages/channels" className="link mt-1 inline-block">
              {t("send.action")}
            </ScopedLink>
          </Notice>
        )}
        <div className="flex items-center gap-3 sm:col-span-2">
          {mayWrite ? (
            <SubmitButton isPending={isPending}>{t("save")}</SubmitButton>
          ) : (
            <p className="text-sm text-muted">{t("readOnly")}</p>
          )}
          <span
            role="status"
            className="flex items-center gap-1 text-sm text-active empty:sr-only"
          >
            {state === "saved" && (
              <>
                <Check aria-hidden className="size-4" /> {t("saved")}
              </>
            )}
          </span>
        </div>
      </fieldset>
    </form>
  );
}
