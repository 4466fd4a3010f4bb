import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#lib/cn.ts";

interface BadgeProps {
  icon?: LucideIcon;
  className?: string;
  title?: string;
  children: ReactNode;
}

export function Badge({ icon: Icon, className, title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={cn(
        "inline-flex h-5.5 max-w-full items-center gap-1 rounded-full px-2 text-xs font-medium",
        className,
      )}
    >
      {Icon && <Icon aria-hidden className="size-3 shrink-0" strokeWidth={2.25} />}
      <span className="truncate">{children}</span>
    </span>
  );
}
