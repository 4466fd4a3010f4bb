import { useTranslations } from "next-intl";
import { SelectField } from "#components/ui/forms/select-field.tsx";
import { TextField } from "#components/ui/forms/text-field.tsx";

interface FilterFieldProps {
  /** Of the form; the ids of its fields begin with it. */
  form: string;
}

interface FilterSelectProps extends FilterFieldProps {
  name: string;
  label: string;
  /** What the choice of none of them is called. */
  all: string;
  value: string | number | null;
  /** Value and words. */
  options: readonly (readonly [value: string | number, words: string])[];
}

export function FilterSelect({ form, name, label, all, value, options }: FilterSelectProps) {
  return (
    <SelectField id={`${form}-${name}`} name={name} label={label} defaultValue={value ?? ""}>
      <option value="">{all}</option>
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}

interface SubscriptionFieldProps extends FilterFieldProps {
  value: string | null;
  className?: string;
}

export function SubscriptionField({ form, value, className }: SubscriptionFieldProps) {
  const t = useTranslations("table");
  return (
    <TextField
      id={`${form}-subscription`}
      name="subscription"
      label={t("subscription")}
      spellCheck={false}
      autoComplete="off"
      className={className}
      defaultValue={value ?? ""}
    />
  );
}

interface DayRangeFieldsProps extends FilterFieldProps {
  from: string | null;
  to: string | null;
}

/** Two days of the seller's zone, both of them in it; either may be left open. */
export function DayRangeFields({ form, ...days }: DayRangeFieldsProps) {
  const t = useTranslations("table");
  return (["from", "to"] as const).map((end) => (
    <TextField
      key={end}
      id={`${form}-${end}`}
      name={end}
      label={t(end)}
      type="date"
      defaultValue={days[end] ?? ""}
    />
  ));
}
