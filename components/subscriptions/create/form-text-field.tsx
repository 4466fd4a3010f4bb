"use client";

import { useLocale, useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { get, useFormContext } from "react-hook-form";
import { TextField } from "#components/ui/forms/fields.tsx";
import {
  FIELD_MESSAGES,
  type FieldProblem,
  limitOfTooLongMessage,
} from "#contract/field-messages.ts";
import { localizeDigits } from "#lib/format/format.ts";
import {
  type CreateSubscriptionValues,
  type FieldPath,
  isFieldPath,
} from "./create-subscription-values.ts";

interface FormTextFieldProps extends Omit<
  ComponentProps<typeof TextField>,
  "id" | "label" | "error" | "name"
> {
  path: Exclude<FieldPath, "pbp_id">;
  read?: (text: string | null) => string | null;
}

export function FormTextField({
  path,
  isOptional = false,
  read = isOptional ? emptyIsNull : asTyped,
  ...props
}: FormTextFieldProps) {
  const t = useTranslations("create");
  const inWords = useTranslateFieldError();
  const { register, formState } = useFormContext<CreateSubscriptionValues>();
  const error: { message?: string } | undefined = get(formState.errors, path);
  // A field that is left empty shows no error until the form is sent.
  const isSaid = formState.isSubmitted || Boolean(get(formState.dirtyFields, path));
  return (
    <TextField
      id={path}
      label={t(`field.${path}`)}
      error={isSaid && error?.message ? inWords(error.message, path) : undefined}
      isOptional={isOptional}
      // Without this, the browser would offer the seller's own details.
      autoComplete="off"
      {...props}
      {...register(path, { setValueAs: read })}
    />
  );
}

const asTyped = (text: string | null) => text;
const emptyIsNull = (text: string | null) => (text === "" ? null : text);

/** Translates a field error, with the field's name. Texts that the contract does not know stay as they are. */
export function useTranslateFieldError(): (text: string, path: string) => string {
  const t = useTranslations("create");
  const language = useLocale();
  return (text, path) => {
    if (!isFieldPath(path)) return text;
    const field = t(`field.${path}`);
    const problem = PROBLEMS.find((one) => FIELD_MESSAGES[one] === text);
    if (problem === "required" || problem === "blank") return t(`missing.${path}`);
    if (problem) return t(`problem.${problem}`, { field });
    const limit = limitOfTooLongMessage(text);
    return limit === null
      ? text
      : t("problem.tooLong", { field, most: localizeDigits(limit, language) });
  };
}

const PROBLEMS = Object.keys(FIELD_MESSAGES) as FieldProblem[];
