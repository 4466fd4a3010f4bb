"use client";

import { useTranslations } from "next-intl";
import { useSeller } from "#components/context/seller-context.tsx";
import { ChoiceCard } from "#components/ui/forms/choices.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { dayInZone } from "#lib/format/format.ts";
import { MAX_SHIFT_DAYS, type BulkChange } from "#lib/subscriptions/bulk/rules.ts";
import type { Operation } from "#lib/subscriptions/rules.ts";

export const INITIAL_CHANGES: Record<Operation, BulkChange> = {
  cancel: { operation: "cancel" },
  resume: { operation: "resume" },
  reschedule: { operation: "reschedule", to: "shift", days: 7 },
};

export function BulkChangeFields({
  aim,
  onChange,
}: {
  aim: BulkChange;
  onChange: (aim: BulkChange) => void;
}) {
  const t = useTranslations("bulk.aim");
  const { time_zone, now } = useSeller();
  if (aim.operation !== "reschedule" || aim.to === "back") return null;
  const today = dayInZone(now, time_zone);
  return (
    <fieldset className="grid max-w-md gap-3">
      <legend className="sr-only">{t("label")}</legend>
      <div className="grid grid-cols-2 gap-2">
        <ChoiceCard
          type="radio"
          name="bulk-way"
          checked={aim.to === "shift"}
          onChange={() => onChange({ operation: "reschedule", to: "shift", days: 7 })}
          title={t("each")}
        />
        <ChoiceCard
          type="radio"
          name="bulk-way"
          checked={aim.to === "day"}
          onChange={() => onChange({ operation: "reschedule", to: "day", day: "" })}
          title={t("all")}
        />
      </div>
      {aim.to === "shift" ? (
        <TextField
          id="bulk-days"
          type="number"
          inputMode="numeric"
          label={t("days")}
          min={-MAX_SHIFT_DAYS}
          max={MAX_SHIFT_DAYS}
          value={Number.isNaN(aim.days) ? "" : aim.days}
          onChange={({ target }) => onChange({ ...aim, days: target.valueAsNumber })}
          hint={t("daysHint")}
        />
      ) : (
        <TextField
          id="bulk-day"
          type="date"
          label={t("day")}
          min={today}
          max="9999-12-31"
          value={aim.day}
          onChange={({ target }) => onChange({ ...aim, day: target.value })}
          hint={t("dayHint", { zone: time_zone })}
        />
      )}
    </fieldset>
  );
}
