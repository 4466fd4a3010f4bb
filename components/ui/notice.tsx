import type { ComponentProps, ReactNode } from "react";
import type { IconType } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";

const LOOKS = {
  info: "notice-info",
  warning: "notice-warning",
  danger: "notice-danger",
} as const;

interface NoticeProps extends ComponentProps<"div"> {
  look?: keyof typeof LOOKS;
  icon: IconType;
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
    <div className={cn("notice", LOOKS[look], className)} {...props}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div>{children}</div>
    </div>
  );
}

interface StatePanelProps {
  icon: IconType;
  title: string;
  /** A text with the next step. */
  text: ReactNode;
  action?: ReactNode;
  role?: "alert" | "status";
}

/** Replaces missing content: empty, not found or failed. */
export function StatePanel({ icon: Icon, title, text, action, role }: StatePanelProps) {
  return (
    <div
      role={role}
      className="flex flex-col items-center px-6 py-16 text-center text-balance sm:py-24"
    >
      <span className="mb-4 flex size-10 items-center justify-center rounded-md border bg-surface text-muted shadow-card">
        <Icon aria-hidden className="size-5" />
      </span>
      <p className="text-lg font-semibold">{title}</p>
      <div className="mt-1 max-w-md text-muted">{text}</div>
      {action && <div className="mt-5 flex gap-2">{action}</div>}
    </div>
  );
}
