"use client";

import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { get, useFormContext } from "react-hook-form";
import { TextField } from "#components/ui/forms/text-field.tsx";
import type { CreateSubscriptionValues, FieldPath } from "./create-subscription-values.ts";
import { useFieldWords } from "./field-words.ts";

interface FormTextFieldProps extends Omit<
  ComponentProps<typeof TextField>,
  "id" | "label" | "error" | "name"
> {
  path: Exclude<FieldPath, "pbp_id">;
  /** Parses the typed text. */
  read?: (text: string | null) => string | null;
}

/** A text field of the form, with its error, found under its own path. */
export function FormTextField({
  path,
  isOptional = false,
  read = isOptional ? emptyIsNull : asTyped,
  ...props
}: FormTextFieldProps) {
  const t = useTranslations("create");
  const inWords = useFieldWords();
  const { register, formState } = useFormContext<CreateSubscriptionValues>();
  const error: { message?: string } | undefined = get(formState.errors, path);
  // Whoever only goes through an empty form has done nothing wrong yet.
  const isSaid = formState.isSubmitted || Boolean(get(formState.dirtyFields, path));
  return (
    <TextField
      id={path}
      label={t(`field.${path}`)}
      error={isSaid && error?.message ? inWords(error.message, path) : undefined}
      isOptional={isOptional}
      // It is the buyer's, so the browser must not offer the seller's own.
      autoComplete="off"
      {...props}
      {...register(path, { setValueAs: read })}
    />
  );
}

const asTyped = (text: string | null) => text;
const emptyIsNull = (text: string | null) => (text === "" ? null : text);
