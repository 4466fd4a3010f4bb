"use client";

import { ListFilter } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState, type ReactNode, type SubmitEvent } from "react";
import { useFormat } from "#components/layout/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { cn } from "#lib/cn.ts";

interface FilterFormProps {
  /** What is searched. */
  label: string;
  /** Where it leads before the page's script is at work. */
  action: string;
  onFilter: (wanted: FormData) => void;
  /** How many of its fields narrow the list. */
  active: number;
  /** The grid of a wide screen. */
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
  const format = useFormat();
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
      <Button
        className={isFolded ? "h-9 max-md:h-11" : "mb-4 w-full lg:hidden"}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <ListFilter aria-hidden className="size-4" />
        {t("filter")}
        {active > 0 && (
          <span className="rounded-full bg-accent-soft px-1.5 text-xs text-accent tabular-nums">
            {format.count(active)}
          </span>
        )}
      </Button>
      {/* One at a time, because both have the same fields. */}
      {!isOpen && !isFolded && form(cn("mb-4 max-lg:hidden", className))}
      <Dialog title={t("filter")} isOpen={isOpen} onClose={() => setOpen(false)}>
        {form("grid-cols-2")}
      </Dialog>
    </>
  );
}
