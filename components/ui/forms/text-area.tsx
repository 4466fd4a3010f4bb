import type { ComponentProps, ReactNode } from "react";
import { cn } from "#lib/cn.ts";
import { describedBy, FieldFrame } from "./field-frame.tsx";
import { CONTROL } from "./text-field.tsx";

interface TextAreaProps extends Omit<ComponentProps<"textarea">, "id"> {
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

/** A text area that grows with its content. */
export function TextArea({ id, label, hint, error, className, ...props }: TextAreaProps) {
  return (
    <FieldFrame {...{ id, label, hint, error }}>
      <textarea
        id={id}
        rows={6}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, hint, error)}
        className={cn(
          CONTROL,
          "block field-sizing-content max-h-72 min-h-28 resize-y py-2",
          className,
        )}
        {...props}
      />
    </FieldFrame>
  );
}
