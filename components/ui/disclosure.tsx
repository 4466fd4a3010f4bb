import type { ReactNode } from "react";
import { ChevronRight } from "#components/ui/icons.tsx";

interface DisclosureProps {
  title: string;
  className?: string;
  onToggle?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** Details folded under a title. */
export function Disclosure({ title, className, onToggle, children }: DisclosureProps) {
  return (
    <details className="disclosure" onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <summary className={className}>
        <ChevronRight aria-hidden />
        {title}
      </summary>
      {children}
    </details>
  );
}
