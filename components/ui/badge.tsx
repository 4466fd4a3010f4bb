import type { ReactNode } from "react";
import type { IconType } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";

/** A status badge; text and icon repeat what the colour says. */
export interface BadgeLook {
  icon: IconType;
  className: string;
}

interface BadgeProps {
  icon?: IconType;
  className?: string;
  children: ReactNode;
}

/** A badge; unknown values get the default look. */
export function Badge({
  icon: Icon,
  className = "bg-surface text-muted",
  children,
}: BadgeProps) {
  return (
    <span
      className={cn(
        // The border distinguishes the badge from a selected row of a similar colour.
        "inline-flex h-5.5 max-w-full items-center gap-1 rounded-full px-2 text-xs font-medium inset-ring inset-ring-current/15",
        className,
      )}
    >
      {Icon && <Icon aria-hidden className="size-3 shrink-0 stroke-[2.25]" />}
      <span className="truncate">{children}</span>
    </span>
  );
}
