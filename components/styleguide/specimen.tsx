import type { ReactNode } from "react";

interface SpecimensProps {
  title: string;
  children: ReactNode;
}

/** One component in all its states. */
export function Specimens({ title, children }: SpecimensProps) {
  return (
    <section aria-label={title} className="border-t py-5">
      <h3 className="mb-3 font-semibold">{title}</h3>
      <div className="flex flex-wrap items-start gap-x-6 gap-y-4">{children}</div>
    </section>
  );
}

export function Specimen({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <p className="mb-1 text-xs text-muted">{label}</p>
      <div className="flex min-w-0 flex-wrap items-center gap-2">{children}</div>
    </div>
  );
}
