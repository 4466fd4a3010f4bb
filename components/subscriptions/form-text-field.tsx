"use client";

import type { ComponentProps } from "react";
import { get, useFormContext } from "react-hook-form";
import { TextField } from "#components/ui/text-field.tsx";
import {
  FIELD_LABELS,
  type CreateSubscriptionValues,
  type FieldPath,
} from "./create-subscription-values.ts";

interface FormTextFieldProps extends Omit<
  ComponentProps<typeof TextField>,
  "id" | "label" | "error" | "name"
> {
  path: Exclude<FieldPath, "pbp_id">;
  label?: string;
}

/** A text field of the form, with its error, found under its own path. */
export function FormTextField({
  path,
  label,
  isOptional = false,
  ...props
}: FormTextFieldProps) {
  const { register, formState } = useFormContext<CreateSubscriptionValues>();
  const error: { message?: string } | undefined = get(formState.errors, path);
  return (
    <TextField
      id={path}
      label={label ?? FIELD_LABELS[path]}
      error={error?.message}
      isOptional={isOptional}
      // It is the buyer's, so the browser must not offer the seller's own.
      autoComplete="off"
      {...props}
      {...register(path, isOptional ? { setValueAs: emptyIsNull } : {})}
    />
  );
}

const emptyIsNull = (value: string | null) => (value === "" ? null : value);
