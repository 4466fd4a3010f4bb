import { CircleAlert, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "#lib/cn.ts";

/** One line that says whether both sides agree. */
export function FindingLine({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  const Icon = isGood ? CircleCheck : CircleAlert;
  return (
    <p className={cn("mt-1 flex items-start gap-2", isGood ? "text-muted" : "text-ink")}>
      <Icon
        aria-hidden
        className={cn("mt-0.5 size-4 shrink-0", isGood ? "text-active" : "text-danger")}
      />
      <span className="min-w-0">{children}</span>
    </p>
  );
}
