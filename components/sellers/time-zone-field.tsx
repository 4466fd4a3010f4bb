"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { TextField } from "#components/ui/forms/fields.tsx";
import { readTimeZone, SAMPLE_ZONE } from "#lib/sellers/rules.ts";

interface TimeZoneFieldProps {
  zones: string[];
  /** Empty for the browser's time zone. */
  value: string;
  error: string | undefined;
}

/** A text field with suggestions; it accepts part of a name, and former names of a zone. */
export function TimeZoneField({ zones, value, error }: TimeZoneFieldProps) {
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
        placeholder={SAMPLE_ZONE}
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
