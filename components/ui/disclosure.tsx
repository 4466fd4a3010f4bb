import type { ReactNode } from "react";
import { ChevronRight } from "#components/ui/icons.tsx";

interface DisclosureProps {
  title: string;
  className?: string;
  /** A new value opens or closes the details; readers can do so too. */
  isOpen?: boolean;
  onToggle?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** Details folded under a title. */
export function Disclosure({ title, className, isOpen, onToggle, children }: DisclosureProps) {
  return (
    <details
      className="disclosure"
      open={isOpen}
      onToggle={(event) => onToggle?.(event.currentTarget.open)}
    >
      <summary className={className}>
        <ChevronRight aria-hidden />
        {title}
      </summary>
      {children}
    </details>
  );
}
