import { useTranslations } from "next-intl";
import { useState } from "react";
import { FilterButton } from "#components/list/filters/filter-button.tsx";
import { pushUrl } from "#components/list/url-link.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { CONTROL } from "#components/ui/forms/text-field.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { cn } from "#lib/cn.ts";
import { sumCounts, type QueueCount } from "#lib/collection/queue-counts.ts";
import {
  AHEAD,
  queuePath,
  parseQueueSearch,
  SHOWS,
  WHOSE,
  type QueueSearch,
} from "#lib/collection/search.ts";

const USUAL = parseQueueSearch({});
const KINDS = ["whose", "show", "ahead"] as const;

interface QueueFiltersProps {
  search: QueueSearch;
  cells: QueueCount[] | undefined;
}

/** Filters beside the search; in a sheet on phones. */
export function QueueFilters({ search, cells }: QueueFiltersProps) {
  const t = useTranslations("table");
  const isHydrated = useHydrated();
  const [isOpen, setOpen] = useState(false);
  const active = KINDS.filter((kind) => search[kind] !== USUAL[kind]).length;
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-2 max-md:hidden">
        <Choices {...{ search, cells }} />
      </div>
      <FilterButton
        className="h-11 shrink-0 md:hidden"
        active={active}
        disabled={!isHydrated}
        onClick={() => setOpen(true)}
      />
      <Dialog title={t("filter")} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className="grid gap-3">
          <Choices {...{ search, cells }} />
        </div>
      </Dialog>
    </>
  );
}

function Choices({ search, cells }: QueueFiltersProps) {
  const t = useTranslations("collection.filters");
  const format = useFormat();
  const sums = cells && sumCounts(cells, search);
  const counted = (show: (typeof SHOWS)[number]) => {
    if (!sums || show === "open") return t(`show.${show}`);
    return t(`counted.${show}`, { count: format.count(sums[show]) });
  };
  return (
    <>
      <Choice
        label={t("whose.label")}
        value={search.whose}
        options={WHOSE.map((whose) => [whose, t(`whose.${whose}`)])}
        at={(whose) => ({ ...search, whose: WHOSE.find((one) => one === whose) ?? "anybody" })}
      />
      <Choice
        label={t("show.label")}
        value={search.show}
        options={SHOWS.map((show) => [show, counted(show)])}
        at={(show) => ({ ...search, show: SHOWS.find((one) => one === show) ?? "open" })}
      />
      <Choice
        label={t("ahead.label")}
        value={String(search.ahead)}
        options={AHEAD.map((days) => [String(days), t("ahead.days", { count: days })])}
        at={(days) => ({
          ...search,
          ahead: AHEAD.find((one) => String(one) === days) ?? search.ahead,
        })}
      />
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: [value: string, label: string][];
  at: (value: string) => QueueSearch;
}

function Choice({ label, value, options, at }: ChoiceProps) {
  const scope = useScope();
  const isHydrated = useHydrated();
  return (
    <label className="grid gap-1">
      <span className="text-sm font-medium md:sr-only">{label}</span>
      <select
        disabled={!isHydrated}
        value={value}
        onChange={(event) => pushUrl(queuePath(scope, at(event.target.value)))}
        className={cn(CONTROL, "h-9 max-w-full max-md:h-11 md:w-auto!")}
      >
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
