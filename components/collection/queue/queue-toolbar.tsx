import { useTranslations } from "next-intl";
import { useState } from "react";
import { SearchInput } from "#components/list/filters/search-input.tsx";
import type { QueuePage } from "#lib/collection/queries.ts";
import {
  DAYS_AHEAD_CHOICES,
  QUEUE_GROUPS,
  parseQueueSearch,
  queuePath,
  type QueueSearch,
  ENTRY_FILTERS,
  ASSIGNEE_FILTERS,
} from "#lib/collection/search.ts";
import { PageHeader } from "#components/shell/page-header.tsx";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
  useSeller,
} from "#components/context/seller-context.tsx";
import { PlannedButton } from "#components/collection/reminders/planned-button.tsx";
import { addDays } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { sumCounts } from "#lib/collection/queue-counts.ts";
import { FilterTabs, pushUrl, UrlLink } from "#components/list/links.tsx";
import { FilterButton } from "#components/list/filters/filter-form.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { useHydrated } from "#components/ui/button.tsx";

const LONGEST_SEARCH_TEXT = 200;

interface QueueToolbarProps {
  page: QueuePage | undefined;
  search: QueueSearch;
  line: string;
  onLine: (line: string) => void;
}

export function QueueToolbar({ page, search, line, onLine }: QueueToolbarProps) {
  const t = useTranslations("collection");
  const scope = useScope();
  const sums = page && sumCounts(page.cells, search);
  return (
    <>
      <CollectionHead sums={sums} />
      {search.import_run !== null && <OfImport search={search} id={search.import_run} />}
      <FilterTabs
        label={t("groups.label")}
        tabs={[null, ...QUEUE_GROUPS].map((group) => ({
          href: queuePath(scope, { ...search, group }),
          label: t(`groups.${group ?? "all"}`),
          count: sums?.groups[group ?? "all"],
          isCurrent: search.group === group,
        }))}
      />
      <div className="flex items-start gap-x-2 max-md:*:first:grow md:flex-wrap md:gap-x-4">
        <SearchInput
          label={t("search.label")}
          placeholder={t("search.placeholder")}
          longest={LONGEST_SEARCH_TEXT}
          value={line}
          onChange={onLine}
        />
        <QueueFilters search={search} sums={sums} />
      </div>
    </>
  );
}

/** Says that the queue shows only the buyers of one import, and links to the whole queue. */
function OfImport({ search, id }: { search: QueueSearch; id: string }) {
  const t = useTranslations("collection");
  const scope = useScope();
  const mayImport = usePermission("subscriptions:create");
  return (
    <p className="mb-3 flex flex-wrap items-baseline gap-x-4 gap-y-1">
      {t("ofImport.text")}
      {mayImport && (
        <ScopedLink href={`/subscriptions/import/${id}`} className="link">
          {t("ofImport.open")}
        </ScopedLink>
      )}
      <UrlLink href={queuePath(scope, { ...search, import_run: null })} className="link">
        {t("empty.clear")}
      </UrlLink>
    </p>
  );
}

type Sums = ReturnType<typeof sumCounts> | undefined;

/** Days after which asking a buyer of an ended subscription is no longer worthwhile. */
const ENDED_LATELY_DAYS = 30;

function CollectionHead({ sums }: { sums: Sums }) {
  const t = useTranslations("collection");
  const format = useFormat();
  const { now, time_zone } = useSeller();
  const endedSince = addDays(dayInZone(now, time_zone), -ENDED_LATELY_DAYS);
  return (
    <PageHeader
      title={t("title")}
      aside={
        <span className="flex flex-wrap items-baseline gap-x-4">
          <ScopedLink
            href="/reports/reminders"
            className="rounded py-1 text-sm text-muted underline underline-offset-2 hover:text-ink"
          >
            {t("results")}
          </ScopedLink>
          <ScopedLink
            href={`/subscriptions?lost_from=${endedSince}`}
            className="rounded py-1 text-sm text-muted underline underline-offset-2 hover:text-ink"
          >
            {t("endedLately")}
          </ScopedLink>
          <PlannedButton />
        </span>
      }
      action={
        sums &&
        sums.amounts.length > 0 && (
          <p className="text-right">
            <span className="text-xs text-muted">{t("toCollect")} </span>
            <span className="font-semibold tabular-nums">{format.sum(sums.amounts)}</span>
          </p>
        )
      }
    />
  );
}

const USUAL = parseQueueSearch({});
const KINDS = ["whose", "show", "ahead"] as const;

interface QueueFiltersProps {
  search: QueueSearch;
  sums: Sums;
}

/** Filters beside the search; in a sheet on phones. */
function QueueFilters({ search, sums }: QueueFiltersProps) {
  const t = useTranslations("table");
  const isHydrated = useHydrated();
  const [isOpen, setOpen] = useState(false);
  const active = KINDS.filter((kind) => search[kind] !== USUAL[kind]).length;
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-2 max-md:hidden">
        <Choices {...{ search, sums }} />
      </div>
      <FilterButton
        className="h-11 shrink-0 md:hidden"
        active={active}
        disabled={!isHydrated}
        onClick={() => setOpen(true)}
      />
      <Dialog title={t("filter")} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div className="grid gap-3">
          <Choices {...{ search, sums }} />
        </div>
      </Dialog>
    </>
  );
}

function Choices({ search, sums }: QueueFiltersProps) {
  const t = useTranslations("collection.filters");
  const format = useFormat();
  return (
    <>
      <Choice
        label={t("whose.label")}
        value={search.whose}
        options={ASSIGNEE_FILTERS}
        nameOf={(whose) => t(`whose.${whose}`)}
        searchFor={(whose) => ({ ...search, whose })}
      />
      <Choice
        label={t("show.label")}
        value={search.show}
        options={ENTRY_FILTERS}
        nameOf={(show) =>
          sums && show !== "open"
            ? t(`counted.${show}`, { count: format.count(sums[show]) })
            : t(`show.${show}`)
        }
        searchFor={(show) => ({ ...search, show })}
      />
      <Choice
        label={t("ahead.label")}
        value={search.ahead}
        options={DAYS_AHEAD_CHOICES}
        nameOf={(count) => t("ahead.days", { count })}
        searchFor={(ahead) => ({ ...search, ahead })}
      />
    </>
  );
}

interface ChoiceProps<Value extends string | number> {
  label: string;
  value: Value;
  options: readonly Value[];
  nameOf: (option: Value) => string;
  searchFor: (option: Value) => QueueSearch;
}

function Choice<Value extends string | number>(props: ChoiceProps<Value>) {
  const { label, value, options, nameOf, searchFor } = props;
  const scope = useScope();
  const isHydrated = useHydrated();
  return (
    <label className="grid gap-1">
      <span className="text-sm font-medium md:sr-only">{label}</span>
      <select
        disabled={!isHydrated}
        value={value}
        onChange={({ target }) => {
          const chosen = options.find((option) => String(option) === target.value);
          if (chosen !== undefined) pushUrl(queuePath(scope, searchFor(chosen)));
        }}
        className="input max-w-full md:w-auto"
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {nameOf(option)}
          </option>
        ))}
      </select>
    </label>
  );
}
