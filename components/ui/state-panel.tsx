import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface StatePanelProps {
  icon: LucideIcon;
  title: string;
  /** The next step. */
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
