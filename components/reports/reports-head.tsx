import { useTranslations } from "next-intl";
import { IndexFreshness } from "#components/list/index-notice.tsx";
import {
  DayRangeFields,
  FilterForm,
  PlanSelects,
} from "#components/list/filters/filter-form.tsx";
import { FilterTabs } from "#components/list/links.tsx";
import { UrlLink } from "#components/list/links.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import {
  ScopedLink,
  useFormat,
  useScope,
  useSeller,
} from "#components/context/seller-context.tsx";
import { dayInZone } from "#lib/format/format.ts";
import type { ReportHead } from "#lib/reports/queries.ts";
import {
  presetDays,
  parseReportSearch,
  presetOf,
  PRESETS,
  type ReportSearch,
  reportsPath,
} from "#lib/reports/search.ts";

const FORM = "reports";

interface ReportsHeadProps {
  search: ReportSearch;
  /** The common part of all reports; undefined until one is loaded. */
  ready: (ReportHead & { as_of: string; age_s: number }) | undefined;
  currencies: string[];
  currency: string;
  isPlaceholder?: boolean;
}

/** Heading with period, product and currency, and how much of the period is known. */
export function ReportsHead(props: ReportsHeadProps) {
  const { search, ready, currencies, isPlaceholder = false } = props;
  const t = useTranslations("reports");
  return (
    <>
      <PageHeader
        title={t("title")}
        aside={
          <ScopedLink
            href="/reports/reminders"
            className="rounded py-1 text-sm text-muted underline underline-offset-2 hover:text-ink"
          >
            {t("reminders")}
          </ScopedLink>
        }
        action={
          <div inert={isPlaceholder}>
            <Narrow search={search} />
          </div>
        }
      />
      <Periods search={search} />
      <div className="mb-4 flex min-h-10 flex-wrap items-start justify-between gap-x-6 gap-y-2 text-sm text-muted max-md:min-h-15">
        <div className="max-w-prose">{ready && <Extent {...{ search, ready }} />}</div>
        {currencies.length > 1 && <Currencies {...props} />}
      </div>
    </>
  );
}

function Periods({ search }: { search: ReportSearch }) {
  const t = useTranslations("reports.periods");
  const scope = useScope();
  const { now, time_zone } = useSeller();
  const today = dayInZone(now, time_zone);
  const current = presetOf(search, today);
  const presets = PRESETS.map((preset) => ({
    href: reportsPath(scope, { ...search, ...presetDays(preset, today) }),
    label: t(preset),
    isCurrent: preset === current,
  }));
  const own = { href: reportsPath(scope, search), label: t("own"), isCurrent: true };
  return (
    <FilterTabs label={t("label")} tabs={current === null ? [...presets, own] : presets} />
  );
}

function Narrow({ search }: { search: ReportSearch }) {
  const t = useTranslations("reports.filter");
  const scope = useScope();
  const { from, to, product, plan } = search;
  return (
    <FilterForm
      label={t("label")}
      action={reportsPath(scope, {})}
      pathFor={(form) =>
        reportsPath(scope, { ...parseReportSearch(form), currency: search.currency })
      }
      active={[product, plan].filter((name) => name !== null).length}
      isFolded
    >
      <DayRangeFields form={FORM} {...{ from, to }} />
      <PlanSelects form={FORM} {...{ product, plan }} />
    </FilterForm>
  );
}

function Extent({
  search,
  ready,
}: Pick<ReportsHeadProps, "search"> & { ready: NonNullable<ReportsHeadProps["ready"]> }) {
  const t = useTranslations("reports.head");
  const format = useFormat();
  const scope = useScope();
  const { period, before, known_since } = ready;
  const { product, plan } = search;
  const names = [product, plan].filter((name) => name !== null);
  return (
    <>
      <p>
        {t.rich("period", {
          from: () => format.date(period.from),
          to: () => format.date(period.to),
          start: () => format.date(before.from),
          end: () => format.date(before.to),
        })}{" "}
        {names.length > 0 && (
          <>
            <span className="font-medium text-ink">
              {t("only", { name: names.join(", ") })}
            </span>{" "}
            <UrlLink
              href={reportsPath(scope, { ...search, product: null, plan: null })}
              className="rounded text-accent underline"
            >
              {t("all")}
            </UrlLink>
          </>
        )}
      </p>
      <p>
        <IndexFreshness found={ready} /> {t("known", { moment: format.dateTime(known_since) })}
      </p>
    </>
  );
}

function Currencies({ search, currencies, currency: shown }: ReportsHeadProps) {
  const t = useTranslations("reports.head");
  const scope = useScope();
  return (
    <nav aria-label={t("currency")}>
      <ul className="flex rounded border bg-surface p-0.5">
        {currencies.map((currency) => (
          <li key={currency}>
            <UrlLink
              href={reportsPath(scope, { ...search, currency })}
              aria-current={currency === shown ? "true" : undefined}
              className="flex h-7 items-center rounded-sm px-2.5 font-medium hover:text-ink aria-[current]:bg-sunken aria-[current]:text-ink max-md:h-10"
            >
              {currency}
            </UrlLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
