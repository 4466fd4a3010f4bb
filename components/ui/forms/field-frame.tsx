import { CircleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

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
