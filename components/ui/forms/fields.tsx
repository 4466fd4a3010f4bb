import type { ComponentProps, ReactNode } from "react";
import { ChevronDown, CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { cn } from "#lib/cn.ts";

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

interface FieldFrameProps {
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  isOptional?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** A label, the control, and the hint or error. */
export function FieldFrame({
  id,
  label,
  hint,
  error,
  isOptional = false,
  className,
  children,
}: FieldFrameProps) {
  const t = useTranslations("ui");
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 flex items-baseline justify-between font-medium">
        {label}
        {isOptional && <span className="text-xs font-normal text-faint">{t("optional")}</span>}
      </label>
      {children}
      {error ? (
        <FieldError id={`${id}-error`}>{error}</FieldError>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="mt-1 text-xs text-muted">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <p id={id} className="mt-1 flex items-start gap-1 text-xs text-danger">
      <CircleAlert aria-hidden className="mt-0.5 size-3 shrink-0" />
      {children}
    </p>
  );
}

export function describedBy(id: string, hint: ReactNode, error: string | undefined) {
  if (error) return `${id}-error`;
  return hint ? `${id}-hint` : undefined;
}
