import type { ComponentProps, ReactNode } from "react";
import { useTranslations } from "next-intl";
import { ChevronDown, CircleAlert } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";

export interface FieldProps {
  id: string;
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
}

interface TextFieldProps extends FieldProps, Omit<ComponentProps<"input">, "id"> {
  isOptional?: boolean;
}

export function TextField(props: TextFieldProps) {
  const { id, label, hint, error, isOptional, className, ...others } = props;
  return (
    <FieldFrame {...{ id, label, hint, error, isOptional, className }}>
      <input className="input" {...controlProps(id, hint, error)} {...others} />
    </FieldFrame>
  );
}

interface TextAreaProps extends FieldProps, Omit<ComponentProps<"textarea">, "id"> {}

/** A text area that grows with its content. */
export function TextArea({ id, label, hint, error, className, ...props }: TextAreaProps) {
  return (
    <FieldFrame {...{ id, label, hint, error }}>
      <textarea
        rows={6}
        className={cn(
          "input block field-sizing-content h-auto max-h-72 min-h-28 resize-y py-2",
          className,
        )}
        {...controlProps(id, hint, error)}
        {...props}
      />
    </FieldFrame>
  );
}

interface SelectFieldProps extends FieldProps, Omit<ComponentProps<"select">, "id"> {
  /** Options after those that are given as children. */
  options?: readonly (readonly [value: string | number, words: string])[];
}

/** A native select, for keyboards, phones and screen readers. */
export function SelectField(props: SelectFieldProps) {
  const { id, label, hint, error, options, children, ...rest } = props;
  return (
    <FieldFrame {...{ id, label, hint, error }}>
      <span className="relative block">
        <select
          className="input appearance-none truncate pr-8"
          {...controlProps(id, hint, error)}
          {...rest}
        >
          {children}
          {options?.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-muted"
        />
      </span>
    </FieldFrame>
  );
}

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode;
  hint?: ReactNode;
}

export function Checkbox({ label, hint, className, ...props }: CheckboxProps) {
  return (
    <label className={cn("flex items-start gap-2.5 max-md:py-3", className)}>
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent-strong"
        {...props}
      />
      <span>
        {label}
        {hint && <span className="block text-xs text-muted">{hint}</span>}
      </span>
    </label>
  );
}

interface FieldFrameProps extends FieldProps {
  isOptional?: boolean | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A label, the control, and the hint or error. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, hint, error, isOptional, className, children } = props;
  const t = useTranslations("ui");
  return (
    <div className={className}>
      <label htmlFor={id} className="field-label">
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

/** Connects a control with the label, hint and error of its FieldFrame. */
export const controlProps = (id: string, hint: ReactNode, error: string | undefined) => ({
  id,
  "aria-invalid": error ? true : undefined,
  "aria-describedby": error ? `${id}-error` : hint ? `${id}-hint` : undefined,
});
