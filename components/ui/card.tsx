import type { ComponentProps, ReactNode } from "react";
import { cn } from "#lib/cn.ts";

export function Card({ className, ...props }: ComponentProps<"section">) {
  return (
    <section className={cn("rounded-md border bg-surface shadow-card", className)} {...props} />
  );
}

export function CardTitle({ children, id }: { children: ReactNode; id?: string }) {
  return (
    <h2 id={id} className="font-semibold">
      {children}
    </h2>
  );
}
