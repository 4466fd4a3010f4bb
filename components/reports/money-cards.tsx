import { BarChart } from "#components/ui/charts/chart.tsx";
import { MissingValue } from "#components/ui/detail-row.tsx";
import { Day } from "#components/values/day.tsx";
import type { Collected } from "#lib/reports/queries.ts";
import { DEBT_AGES } from "#lib/reports/rules.ts";
import type { ReportSummary } from "./report-card.tsx";
import {
  type CardTools,
  CountLink,
  Headline,
  MoneyHeadline,
  moneyPoint,
  partialNote,
  STATUS_PARTS,
  UnknownChange,
} from "./report-parts.tsx";
import type { ReadyReport } from "./use-reports.ts";

/** Monthly recurring revenue and its parts by status. */
export function describeRevenue(
  { figure, period }: ReadyReport<"revenue">,
  { t, format, currency, today }: CardTools,
): ReportSummary {
  const own = figure.currencies.find((one) => one.currency === currency);
  const { amount = "0", start = null } = own ?? {};
  return {
    body: (
      <>
        <MoneyHeadline {...{ amount, currency }} before={start} />
        <p className="mb-3 text-sm text-muted">
          {period.to === today
            ? t("cards.revenue.now")
            : t.rich("cards.revenue.at", { day: () => <Day iso={period.to} /> })}
        </p>
      </>
    ),
    table: {
      heads: [t("heads.state"), t("heads.subscriptions"), t("heads.aMonth")],
      rows: STATUS_PARTS.map((state) => ({
        key: state,
        cells: [
          t(`states.${state}`),
          <CountLink key="count" {...figure[state]} />,
          format.money(own?.[state] ?? "0", currency),
        ],
      })),
    },
    notes: [
      figure.currencies.length > 1 && t("cards.revenue.currencies", { currency }),
      figure.estimated > 0 && t("cards.revenue.estimated", { count: figure.estimated }),
      figure.unknown > 0 && t("cards.revenue.unknown", { count: figure.unknown }),
    ],
  };
}

/** Unpaid and kept debts by age. */
export function describeOwed({ figure }: ReadyReport<"owed">, tools: CardTools): ReportSummary {
  const { t, format, currency } = tools;
  const own = figure.currencies.find((one) => one.currency === currency);
  const { amount = "0", start = null } = own ?? {};
  const ages = DEBT_AGES.map((age) => ({
    ...(own?.ages.find((one) => one.age === age) ?? { count: 0, amount: "0", rows: null }),
    age,
    name: t(`cards.owed.ages.${age}`),
  }));
  return {
    body: (
      <>
        <MoneyHeadline {...{ amount, currency }} before={start} />
        <p className="mb-2 text-sm text-muted">
          {t("cards.owed.subscriptions", { count: own?.count ?? 0 })}
        </p>
      </>
    ),
    chart: (
      <BarChart
        label={t("cards.owed.chart")}
        labels={ages.map(({ age, name }) => ({ name, short: t(`cards.owed.short.${age}`) }))}
        series={[
          {
            name: t("cards.owed.amount"),
            tone: "due",
            points: ages.map(({ amount }) => moneyPoint(tools, amount)),
          },
        ]}
        formatValue={format.count}
      />
    ),
    table: {
      heads: [t("heads.age"), t("heads.subscriptions"), t("heads.amount")],
      rows: ages.map(({ age, name, count, rows, amount }) => ({
        key: age,
        cells: [
          name,
          <CountLink key="count" {...{ count, rows }} />,
          format.money(amount, currency),
        ],
      })),
    },
    rows: figure.due.rows,
    notes: [
      own?.is_list_price === true && t("listPrices"),
      figure.kept > 0 && t("cards.owed.kept", { count: figure.kept }),
      figure.undated > 0 && t("cards.owed.undated", { count: figure.undated }),
      figure.unpriced > 0 && t("cards.owed.unpriced", { count: figure.unpriced }),
    ],
  };
}

/** Revenue of upcoming billing dates, and the part that is likely to be paid in time. */
export function describeExpected(
  { figure }: ReadyReport<"expected">,
  tools: CardTools,
): ReportSummary {
  const { t, format, currency } = tools;
  const { passed, needed, share, in_time, late, unpaid } = figure.observed;
  const spans = figure.horizons.map(({ days, subscriptions, currencies }) => {
    const own = currencies.find((one) => one.currency === currency);
    const { amount = "0", likely = null, count: dates = 0, is_list_price = false } = own ?? {};
    const name = t("cards.expected.days", { days: format.count(days) });
    return { name, subscriptions, amount, likely, dates, is_list_price };
  });
  const [first] = spans;
  const series = [
    {
      name: t("cards.expected.all"),
      tone: "accent" as const,
      points: spans.map(({ amount }) => moneyPoint(tools, amount)),
    },
    {
      name: t("cards.expected.likely"),
      tone: "active" as const,
      points: spans.map(({ likely }) => moneyPoint(tools, likely ?? "0")),
    },
  ];
  return {
    body: (
      <>
        <Headline
          aside={
            <span className="text-sm text-muted">
              {first && t("cards.expected.within", { span: first.name })}
            </span>
          }
        >
          {format.money(first?.amount ?? "0", currency)}
        </Headline>
        <p className="mb-2 text-sm text-muted">
          {share === null
            ? t("cards.expected.shareUnknown", { passed, needed })
            : t("cards.expected.share", {
                percent: format.count(Math.round(Number(share) * 100)),
                passed,
                in_time,
                late,
                unpaid,
              })}
        </p>
      </>
    ),
    chart: (
      <BarChart
        label={t("cards.expected.chart")}
        labels={spans.map(({ name }) => ({ name, short: name }))}
        series={share === null ? series.slice(0, 1) : series}
        formatValue={format.count}
      />
    ),
    table: {
      heads: [
        t("heads.within"),
        t("heads.subscriptions"),
        t("heads.billingDates"),
        t("heads.amount"),
        t("cards.expected.likely"),
      ],
      rows: spans.map(({ name, subscriptions, dates, amount, likely }) => ({
        key: name,
        cells: [
          name,
          <CountLink key="count" {...subscriptions} />,
          format.count(dates),
          format.money(amount, currency),
          likely === null ? <MissingValue key="likely" /> : format.money(likely, currency),
        ],
      })),
    },
    rows: figure.horizons.at(-1)?.subscriptions.rows ?? null,
    notes: [
      spans.some((span) => span.is_list_price) && t("listPrices"),
      figure.once > 0 && t("cards.expected.once", { count: figure.once }),
      figure.unpriced > 0 && t("cards.expected.unpriced", { count: figure.unpriced }),
    ],
  };
}

const NO_TAKINGS: Collected["currencies"][number] = {
  currency: "",
  payments: 0,
  amount: "0",
  fee: "0",
  net: "0",
  before: null,
};

export function describeCollected(
  ready: ReadyReport<"collected">,
  tools: CardTools,
): ReportSummary {
  const { t, format, currency } = tools;
  const { figure } = ready;
  const own = figure.currencies.find((one) => one.currency === currency) ?? NO_TAKINGS;
  const { payments, amount, before, given_back } = own;
  const unknown = <UnknownChange key="before" />;
  return {
    body: <MoneyHeadline {...{ amount, currency }} before={before && before.amount} />,
    table: {
      heads: [t("heads.part"), t("heads.inPeriod"), t("heads.before")],
      rows: [
        {
          key: "payments",
          cells: [
            t("cards.collected.lines.payments"),
            format.count(payments),
            before ? format.count(before.payments) : unknown,
          ],
        },
        ...(["amount", "fee", "net"] as const).map((line) => ({
          key: line,
          cells: [
            t(`cards.collected.lines.${line}`),
            format.money(own[line], currency),
            before ? format.money(before[line], currency) : unknown,
          ],
        })),
        ...(given_back ? (["refunded", "reversed", "left"] as const) : []).map((line) => ({
          key: line,
          cells: [
            t(`cards.collected.lines.${line}`),
            given_back ? format.money(given_back[line], currency) : "",
            "",
          ],
        })),
      ],
    },
    rows: figure.subscriptions.rows,
    notes: [
      partialNote(tools, ready),
      figure.moved > 0 && t("cards.collected.moved", { count: figure.moved }),
      figure.unpriced > 0 && t("cards.collected.unpriced", { count: figure.unpriced }),
    ],
  };
}
