import type { ComponentProps, ReactNode } from "react";
import { cn } from "#lib/cn.ts";
import { FieldFrame, describedBy } from "./field-frame.tsx";

interface TextFieldProps extends Omit<ComponentProps<"input">, "id"> {
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  isOptional?: boolean;
}

export const CONTROL =
  "w-full text-ellipsis rounded border border-line-strong/60 bg-surface px-2.5 shadow-card transition-colors hover:border-line-strong disabled:bg-sunken disabled:text-muted disabled:shadow-none aria-invalid:border-danger max-md:text-lg";

export function TextField({
  id,
  label,
  hint,
  error,
  isOptional = false,
  className,
  ...props
}: TextFieldProps) {
  return (
    <FieldFrame {...{ id, label, hint, error, isOptional, className }}>
      <input
        id={id}
        className={cn(CONTROL, "h-9 max-md:h-11")}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        {...props}
      />
    </FieldFrame>
  );
}
