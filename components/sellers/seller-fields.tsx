"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { fieldError, fieldText } from "#components/forms/use-action.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import type { Failure } from "#lib/failure.ts";
import { AMOUNT_STYLES, formatMoney } from "#lib/format/format.ts";
import {
  type Currency,
  readTimeZone,
  EXAMPLE_TIME_ZONE,
  type SellerDetails,
} from "#lib/sellers/rules.ts";

export interface SellerChoices {
  zones: string[];
  currencies: Currency[];
}

interface SellerFieldsProps extends SellerChoices {
  values: SellerDetails;
  failure: Failure | null;
}

const SAMPLE = "1234567.5";

export function SellerFields({ values, zones, currencies, failure }: SellerFieldsProps) {
  const t = useTranslations("sellers");
  const [currency, setCurrency] = useState(values.currency);
  return (
    <>
      <TextField
        id="name"
        name="name"
        label={t("name.label")}
        defaultValue={values.name}
        maxLength={200}
        required
        autoComplete="organization"
        placeholder={t("name.sample")}
        hint={t("name.hint")}
        error={fieldError(failure, "name")}
      />
      <TimeZoneField
        zones={zones}
        value={values.time_zone}
        error={fieldError(failure, "time_zone")}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          id="currency"
          name="currency"
          label={t("currency.label")}
          defaultValue={values.currency}
          onChange={(event) => setCurrency(event.target.value)}
          error={fieldError(failure, "currency")}
          options={currencies.map(({ code, name }) => [
            code,
            t("currency.choice", { code, name }),
          ])}
        />
        <SelectField
          id="amount_style"
          name="amount_style"
          label={t("amountStyle.label")}
          hint={t("amountStyle.hint")}
          defaultValue={values.amount_style}
          error={fieldError(failure, "amount_style")}
          options={AMOUNT_STYLES.map((style) => [style, formatMoney(SAMPLE, currency, style)])}
        />
      </div>
    </>
  );
}

export function readSellerFields(form: HTMLFormElement) {
  const text = (name: string) => fieldText(form, name);
  return {
    name: text("name"),
    time_zone: text("time_zone"),
    currency: text("currency"),
    amount_style: text("amount_style") as SellerDetails["amount_style"],
    return_url: text("return_url"),
  };
}

interface TimeZoneFieldProps {
  zones: string[];
  /** The chosen zone; empty for the browser's. */
  value: string;
  error: string | undefined;
}

/** A text field with suggestions; it accepts part of a name, and former names of a zone. */
function TimeZoneField({ zones, value, error }: TimeZoneFieldProps) {
  const t = useTranslations("sellers.timeZone");
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!input.current || input.current.value !== "") return;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    input.current.value = readTimeZone(timeZone) ?? "";
  }, []);
  return (
    <>
      <TextField
        id="time_zone"
        name="time_zone"
        ref={input}
        label={t("label")}
        list="time-zones"
        defaultValue={value}
        placeholder={EXAMPLE_TIME_ZONE}
        autoComplete="off"
        spellCheck={false}
        // The list shows only matches of the text; selecting all lets the next key replace it.
        onFocus={(event) => event.currentTarget.select()}
        hint={t("hint")}
        error={error}
      />
      <datalist id="time-zones">
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
