import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#lib/cn.ts";

/** How a state looks: its word and the icon say what the colour does. */
export interface BadgeLook {
  icon: LucideIcon;
  className: string;
}

interface BadgeProps {
  icon?: LucideIcon;
  className?: string;
  children: ReactNode;
}

/** Without a look of its own, for a word that is not known here. */
export function Badge({
  icon: Icon,
  className = "bg-surface text-muted",
  children,
}: BadgeProps) {
  return (
    <span
      className={cn(
        // The edge tells it from a selected row of much the same colour.
        "inline-flex h-5.5 max-w-full items-center gap-1 rounded-full px-2 text-xs font-medium inset-ring inset-ring-current/15",
        className,
      )}
    >
      {Icon && <Icon aria-hidden className="size-3 shrink-0" strokeWidth={2.25} />}
      <span className="truncate">{children}</span>
    </span>
  );
}
