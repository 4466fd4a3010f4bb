import type { ReactNode } from "react";

interface SettingRowProps {
  label: string;
  value: ReactNode;
  /** Buttons. */
  children?: ReactNode;
}

export function SettingRow({ label, value, children }: SettingRowProps) {
  return (
    <div className="flex items-center justify-between gap-4 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{label}</p>
        <div className="text-sm break-words text-muted">{value}</div>
      </div>
      {children && <div className="shrink-0">{children}</div>}
    </div>
  );
}
