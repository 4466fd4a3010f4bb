"use client";

import { useTranslations } from "next-intl";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { cn } from "#lib/cn.ts";
import { FilterButton } from "./filter-button.tsx";

interface FilterFormProps {
  label: string;
  /** Form action before hydration. */
  action: string;
  onFilter: (wanted: FormData) => void;
  /** Number of active filters. */
  active: number;
  className?: string;
  /** In a dialog on wide screens too, beside a search. */
  isFolded?: boolean;
  children: ReactNode;
}

/** An ordinary form above the list; where there is no room for it, in a dialog. */
export function FilterForm({
  label,
  action,
  onFilter,
  active,
  className = "",
  isFolded = false,
  children,
}: FilterFormProps) {
  const t = useTranslations("table");
  const [isOpen, setOpen] = useState(false);

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    onFilter(new FormData(event.currentTarget));
    setOpen(false);
  }

  const form = (columns: string) => (
    <form
      role="search"
      aria-label={label}
      action={action}
      onSubmit={submit}
      className={cn("grid gap-3 *:min-w-0", columns)}
    >
      {children}
    </form>
  );
  return (
    <>
      <FilterButton
        className={isFolded ? "h-9 max-md:h-11" : "mb-4 w-full lg:hidden"}
        active={active}
        onClick={() => setOpen(true)}
      />
      {/* One at a time, because both have the same fields. */}
      {!isOpen && !isFolded && form(cn("mb-4 max-lg:hidden", className))}
      <Dialog title={t("filter")} isOpen={isOpen} onClose={() => setOpen(false)}>
        {form("grid-cols-2")}
      </Dialog>
    </>
  );
}
