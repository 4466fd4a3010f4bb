import type { ComponentProps, ReactNode } from "react";
import { cn } from "#lib/cn.ts";
import { FieldError } from "./fields.tsx";

interface ChoiceCardProps extends Omit<ComponentProps<"input">, "title"> {
  type: "checkbox" | "radio";
  title: ReactNode;
  text?: ReactNode;
  aside?: ReactNode;
}

/** A framed checkbox or radio button, with what it means. */
export function ChoiceCard({ title, text, aside, ...props }: ChoiceCardProps) {
  return (
    <label className="flex cursor-pointer items-start gap-2.5 rounded border bg-surface px-3 py-2 transition-colors hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent max-md:min-h-11">
      <input className="mt-0.5 size-4 shrink-0 accent-accent outline-none" {...props} />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{title}</span>
        {text && <span className="block text-sm text-muted">{text}</span>}
      </span>
      {aside && (
        <span className="text-right font-medium whitespace-nowrap tabular-nums">{aside}</span>
      )}
    </label>
  );
}

interface ChoiceGroupProps {
  /** The start of the error's id. */
  id: string;
  label: string;
  error?: string | undefined;
  className?: string;
  children: ReactNode;
}

/** Choices with a common label and error. */
export function ChoiceGroup({ id, label, error, className, children }: ChoiceGroupProps) {
  return (
    <fieldset className={cn("grid gap-2", className)} aria-describedby={error && `${id}-error`}>
      <legend className="mb-1 font-medium">{label}</legend>
      {children}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
