"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { SearchInput } from "#components/list/filters/search-input.tsx";
import { pushUrl } from "#components/list/links.tsx";
import { useSearchText } from "#components/list/filters/use-words.ts";
import { useScope } from "#components/context/seller-context.tsx";
import {
  type FilterChip,
  filterChipsOf,
  QUERY_FIELDS,
  FIELDS_OF_TABS,
  searchWhileTyping,
  searchOfLine,
  removeFilter,
} from "#lib/subscriptions/query-line.ts";
import {
  filtersOf,
  MAX_SEARCH_TEXT_LENGTH,
  parseSubscriptionSearch,
  type SubscriptionSearch,
  subscriptionsPath,
} from "#lib/subscriptions/search.ts";
import { useDescribeFilter } from "#components/subscriptions/use-chip-words.ts";
import {
  FilterForm,
  FilterSelect,
  PlanSelects,
} from "#components/list/filters/filter-form.tsx";
import { RemovedFilter, TagSelect } from "#components/list/filters/filter-form.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { SORTS } from "#lib/search-index/query/subscription-filters.ts";

interface SubscriptionLineProps {
  search: SubscriptionSearch;
  /** The search line as typed, with its terms. */
  line: string;
  onChange: (line: string) => void;
  /** Whether the page replaces this render, so that the filter must not open. */
  isPlaceholder: boolean;
}

/** The search line: searches while typing; Enter converts its terms to filters. */
export function SubscriptionSearchLine({
  search,
  line,
  onChange,
  isPlaceholder,
}: SubscriptionLineProps) {
  const t = useTranslations("finding");
  const scope = useScope();
  const saysId = useId();
  // Stored like the line, so that it survives the replacement of the placeholder.
  const [asked, setAsked] = useSearchText("subscriptions asked");
  const problems = asked === line ? searchOfLine(search, line).problems : [];

  const typed = searchWhileTyping(search, line).search;

  function type(next: string) {
    onChange(next);
    // Another search starts at its first page.
    if (search.page > 1) pushUrl(subscriptionsPath(scope, searchOfLine(search, next).search));
  }

  function take() {
    const whole = searchOfLine(search, line);
    setAsked(line);
    if (whole.problems.length > 0) return;
    onChange(whole.words);
    pushUrl(subscriptionsPath(scope, whole.search));
  }

  return (
    <>
      <SearchInput
        label={t("label")}
        placeholder={t("placeholder")}
        longest={MAX_SEARCH_TEXT_LENGTH}
        value={line}
        onChange={type}
        onEnter={take}
        describedBy={problems.length > 0 ? saysId : undefined}
      >
        <div inert={isPlaceholder} className="contents">
          <SubscriptionFilter search={typed} />
        </div>
      </SearchInput>
      <div role="status" id={saysId} className="mb-4 text-sm text-danger empty:sr-only">
        {problems.map((problem) => (
          <p key={problem.text}>
            {t(`problems.${problem.kind}`, {
              term: problem.text,
              fields: QUERY_FIELDS.join(", "),
            })}
          </p>
        ))}
      </div>
      <Chips {...{ search, typed }} />
    </>
  );
}

/** The filters as links that remove them; status and kind are shown by the tabs instead. */
function Chips({ search, typed }: ChipsProps) {
  const chips = filterChipsOf(filtersOf(search)).filter(
    ({ field }) => !FIELDS_OF_TABS.includes(field),
  );
  return chips.length > 0 && <ChipList {...{ search, typed, chips }} />;
}

interface ChipsProps {
  search: SubscriptionSearch;
  typed: SubscriptionSearch;
}

function ChipList({ search, typed, chips }: ChipsProps & { chips: FilterChip[] }) {
  const t = useTranslations("finding");
  const scope = useScope();
  const describe = useDescribeFilter(search);
  const without = (chip: FilterChip) =>
    subscriptionsPath(scope, { ...typed, ...removeFilter(filtersOf(typed), chip), page: 1 });
  return (
    <ul aria-label={t("chips.label")} className="mb-4 flex flex-wrap gap-2">
      {chips.map((chip) => (
        <li key={chip.names.join()}>
          <RemovedFilter href={without(chip)}>{describe(chip)}</RemovedFilter>
        </li>
      ))}
    </ul>
  );
}

const FORM = "subscriptions";
/** Filters that this form has no field for; they stay unchanged. */
const HIDDEN = [
  "status",
  "kind",
  "price_over",
  "price_under",
  ...(["started", "lost", "saved", "paid"] as const).flatMap(
    (field) => [`${field}_from`, `${field}_to`] as const,
  ),
] as const;
const RANGE_ENDS = [
  "next_from",
  "next_to",
  "created_from",
  "created_to",
  "price_from",
  "price_to",
] as const;
const DECIMAL = { inputMode: "decimal" } as const;
const DATE = { type: "date" } as const;

function SubscriptionFilter({ search }: { search: SubscriptionSearch }) {
  const t = useTranslations("finding.filter");
  const scope = useScope();
  const { status, page_size, sort } = search;
  const chips = filterChipsOf(filtersOf(search)).filter(
    ({ field }) => !FIELDS_OF_TABS.includes(field),
  );
  return (
    <FilterForm
      label={t("label")}
      action={subscriptionsPath(scope, {})}
      pathFor={(form) =>
        subscriptionsPath(scope, { ...parseSubscriptionSearch(form), status, page_size })
      }
      active={chips.length + (sort === null ? 0 : 1)}
      isFolded
    >
      {HIDDEN.map(
        (name) =>
          search[name] && <input key={name} type="hidden" name={name} value={search[name]} />,
      )}
      <PlanSelects form={FORM} product={search.product} plan={search.plan} />
      <div className="col-span-2">
        <TagSelect form={FORM} value={search.tag} />
      </div>
      {RANGE_ENDS.map((name) => (
        <TextField
          key={name}
          id={`${FORM}-${name}`}
          name={name}
          label={t(name)}
          autoComplete="off"
          defaultValue={search[name] ?? ""}
          {...(name.startsWith("price") ? DECIMAL : DATE)}
        />
      ))}
      <SortSelect sort={sort} />
    </FilterForm>
  );
}

function SortSelect({ sort }: Pick<SubscriptionSearch, "sort">) {
  const t = useTranslations("finding.filter");
  const tColumn = useTranslations("subscriptions.columns");
  const options = SORTS.flatMap((column) => [
    [column, t("upwards", { column: tColumn(column) })] as const,
    [`-${column}`, t("downwards", { column: tColumn(column) })] as const,
  ]);
  return (
    <div className="col-span-2">
      <FilterSelect
        form={FORM}
        name="sort"
        label={t("sort")}
        all={t("usual")}
        value={sort}
        options={options}
      />
    </div>
  );
}
