import { useTranslations } from "next-intl";
import { SelectField, TextArea, TextField } from "#components/ui/forms/fields.tsx";
import { PasswordField } from "#components/ui/forms/password-field.tsx";
import type { ProviderSetting } from "#contract/settings.ts";
import { describeFailure, type Failure, isChangedSince } from "#lib/failure.ts";
import { formatOf, labelOfSetting, typedSetting } from "#lib/format/provider-settings.ts";

/** The path of a setting's field in the form and in the service's refusals. */
export const fieldOf = ({ name }: ProviderSetting) => `settings.${name}`;

interface SettingFieldProps {
  setting: ProviderSetting;
  /** The stored settings of the same provider; null for none. */
  stored: { settings: Record<string, string>; secrets_set: string[] } | null;
  error: string | undefined;
}

/**
 * @returns a function that names a setting or one of its choices; unknown ones of a newer service by their
 *   code
 */
function useSettingLabel() {
  const t = useTranslations("settings");
  return (part: "name" | "choice", code: string) => {
    const keys = { name: `name.${code}`, choice: `choice.${code}` };
    const key = keys[part] as "name.url" | "choice.none";
    return t.has(key) ? t(key) : labelOfSetting(code);
  };
}

/** One setting of a provider, as the service describes it. */
export function SettingField({ setting, stored, error }: SettingFieldProps) {
  const t = useTranslations("sending.setUp");
  const labelOf = useSettingLabel();
  const { name, kind, description, choices, standard, is_required } = setting;
  const value = stored?.settings[name];
  const typed = value === undefined ? "" : typedSetting(setting, value);
  const format = formatOf(setting);
  const usual = standard === null ? "" : typedSetting(setting, standard);
  const field = {
    id: `setting-${name}`,
    name: fieldOf(setting),
    label: labelOf("name", name),
    error,
  };
  const hint = [
    description,
    format && t(format),
    usual !== "" && kind !== "choice" && kind !== "flag" && t("standard", { value: usual }),
  ]
    .filter(Boolean)
    .join(" ");
  if (kind === "secret")
    return (
      <PasswordField
        {...field}
        required={false}
        hint={stored?.secrets_set.includes(name) ? `${hint} ${t("stored")}` : hint}
        autoComplete="new-password"
      />
    );
  if (kind === "choice" || kind === "flag") {
    const isFlag = kind === "flag";
    const named = (choice: string) =>
      isFlag ? t(choice === "true" ? "yes" : "no") : labelOf("choice", choice);
    const options = (isFlag ? ["true", "false"] : choices).map(
      (choice) => [choice, named(choice)] as const,
    );
    return (
      <SelectField {...field} {...{ hint, options }} defaultValue={typed}>
        <option value="">
          {standard === null ? t("noChoice") : t("choose", { value: named(standard) })}
        </option>
      </SelectField>
    );
  }
  if (kind === "json")
    return (
      <TextArea
        {...field}
        hint={hint}
        defaultValue={typed}
        spellCheck={false}
        rows={format === "list" ? 1 : 3}
        className="min-h-9"
      />
    );
  return (
    <TextField
      {...field}
      hint={hint}
      isOptional={!is_required}
      defaultValue={typed}
      inputMode={kind === "number" ? "numeric" : undefined}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

/**
 * @returns a function that describes a failure; a conflict with somebody else's change gets its own
 *   text, which says that the typed values stay
 */
export function useConflictWords() {
  const t = useTranslations();
  return (failure: Failure) =>
    isChangedSince(failure)
      ? { title: t("sending.setUp.conflict"), advice: t("sending.setUp.conflictAdvice") }
      : describeFailure(t, failure, "write");
}
