import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#lib/cn.ts";

interface DisclosureProps {
  title: string;
  className?: string;
  onToggle?: (isOpen: boolean) => void;
  children: ReactNode;
}

/** Details folded under a title. */
export function Disclosure({ title, className, onToggle, children }: DisclosureProps) {
  return (
    <details
      className="group min-w-0"
      onToggle={(event) => onToggle?.(event.currentTarget.open)}
    >
      <summary
        className={cn(
          "flex list-none items-center gap-2 rounded py-1 [&::-webkit-details-marker]:hidden",
          className,
        )}
      >
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted transition-transform group-open:rotate-90"
        />
        {title}
      </summary>
      {children}
    </details>
  );
}
