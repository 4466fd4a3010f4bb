import { ChevronDown } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "#lib/cn.ts";
import { describedBy, FieldFrame } from "./field-frame.tsx";
import { CONTROL } from "./text-field.tsx";

interface SelectFieldProps extends Omit<ComponentProps<"select">, "id"> {
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** A native select, for keyboards, phones and screen readers. */
export function SelectField({ id, label, hint, error, children, ...props }: SelectFieldProps) {
  return (
    <FieldFrame {...{ id, label, hint, error }}>
      <span className="relative block">
        <select
          id={id}
          className={cn(CONTROL, "h-9 appearance-none truncate pr-8 max-md:h-11")}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, hint, error)}
          {...props}
        >
          {children}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-muted"
        />
      </span>
    </FieldFrame>
  );
}
