import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "#lib/cn.ts";

const LOOKS = {
  info: "bg-sunken text-ink",
  warning: "bg-warning-soft text-warning",
  danger: "bg-danger-soft text-danger",
} as const;

interface NoticeProps extends ComponentProps<"div"> {
  look?: keyof typeof LOOKS;
  icon: LucideIcon;
}

/** A short message above related content. */
export function Notice({
  look = "info",
  icon: Icon,
  className,
  children,
  ...props
}: NoticeProps) {
  return (
    <div
      className={cn("flex items-start gap-2 rounded px-3 py-2 text-sm", LOOKS[look], className)}
      {...props}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
