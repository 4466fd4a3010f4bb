import type { ReactNode } from "react";
import { FieldError } from "#components/ui/forms/field-frame.tsx";
import { cn } from "#lib/cn.ts";

export interface CardChoice {
  value: string;
  title: string;
  note: string;
  /** The price, on the right. */
  aside?: ReactNode;
}

interface ChoiceCardsProps {
  legend: string;
  name: string;
  choices: CardChoice[];
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** Radio buttons as cards. */
export function ChoiceCards({
  legend,
  name,
  choices,
  value,
  onChange,
  error,
}: ChoiceCardsProps) {
  return (
    <fieldset aria-describedby={error ? `${name}-error` : undefined}>
      <legend className="mb-1 font-medium">{legend}</legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={cn(
              "flex min-h-11 cursor-pointer items-start gap-2.5 rounded border bg-surface px-3 py-2.5 shadow-card transition-colors",
              "hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft/50 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
            )}
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
              className="mt-0.5 size-4 accent-accent outline-none"
            />
            <span className="min-w-0 flex-1">
              <span className="block">{choice.title}</span>
              {choice.note && (
                <span className="line-clamp-2 text-xs text-muted">{choice.note}</span>
              )}
            </span>
            {choice.aside && (
              <span className="text-right font-medium whitespace-nowrap tabular-nums">
                {choice.aside}
              </span>
            )}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${name}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
