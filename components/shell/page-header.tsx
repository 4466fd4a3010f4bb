import type { ReactNode } from "react";

interface PageHeaderProps {
  title: ReactNode;
  /** Next to the title, such as a badge. */
  aside?: ReactNode;
  action?: ReactNode;
}

export function PageHeader({ title, aside, action }: PageHeaderProps) {
  return (
    <div className="mb-5 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <h1 className="min-w-0 text-xl font-semibold tracking-tight">{title}</h1>
        {aside}
      </div>
      {action}
    </div>
  );
}
