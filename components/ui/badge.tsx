import type { ReactNode } from "react";
import type { IconType } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";

type BadgeTone =
  | "neutral"
  | "accent"
  | "danger"
  | "warning"
  | "active"
  | "due"
  | "pending"
  | "ending"
  | "cancelled"
  | "inactive";

/** The icon and colour of a badge; the icon and the text say what the colour says. */
export interface BadgeLook {
  icon: IconType;
  tone: BadgeTone;
}

interface BadgeProps extends Partial<BadgeLook> {
  className?: string;
  children: ReactNode;
}

/** A badge; without a tone it has the default look. */
export function Badge({ icon: Icon, tone, className, children }: BadgeProps) {
  return (
    <span className={cn("badge", className)} data-tone={tone}>
      {Icon && <Icon aria-hidden />}
      <span>{children}</span>
    </span>
  );
}
