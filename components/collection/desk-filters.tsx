import { useTranslations } from "next-intl";
import { pushUrl } from "#components/data-table/url-link.tsx";
import { useScope } from "#components/layout/seller-context.tsx";
import { useFormat } from "#components/layout/use-format.ts";
import { CONTROL } from "#components/ui/text-field.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { cn } from "#lib/cn.ts";
import { sumCells, type DeskCell } from "#lib/collection/queue/rules.ts";
import { AHEAD, deskPath, SHOWS, WHOSE, type DeskSearch } from "#lib/collection/search.ts";

interface DeskFiltersProps {
  search: DeskSearch;
  cells: DeskCell[] | undefined;
}

/** Whose buyers, what rests, and how far ahead. */
export function DeskFilters({ search, cells }: DeskFiltersProps) {
  const t = useTranslations("collection.filters");
  const format = useFormat();
  const sums = cells && sumCells(cells, search);
  const counted = (show: (typeof SHOWS)[number]) => {
    if (!sums || show === "open") return t(`show.${show}`);
    return t(`counted.${show}`, { count: format.count(sums[show]) });
  };
  return (
    <div className="mb-4 flex flex-wrap gap-2">
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
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: [value: string, label: string][];
  at: (value: string) => DeskSearch;
}

function Choice({ label, value, options, at }: ChoiceProps) {
  const scope = useScope();
  const isHydrated = useHydrated();
  return (
    <select
      aria-label={label}
      disabled={!isHydrated}
      value={value}
      onChange={(event) => pushUrl(deskPath(scope, at(event.target.value)))}
      className={cn(CONTROL, "h-9 w-auto! max-w-full max-md:h-11")}
    >
      {options.map(([one, words]) => (
        <option key={one} value={one}>
          {words}
        </option>
      ))}
    </select>
  );
}
