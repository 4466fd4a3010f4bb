import { useTranslations } from "next-intl";
import { BarChart } from "#components/ui/charts/chart.tsx";
import { ShareBar } from "#components/ui/charts/progress-bar.tsx";
import { MissingValue } from "#components/ui/detail-row.tsx";
import { nameLeaveReason } from "#lib/money/leave-reasons.ts";
import type { ProductsReport } from "#lib/reports/queries.ts";
import type { ReportSummary } from "./report-card.tsx";
import {
  type CardTools,
  CountChange,
  CountLink,
  DaysChart,
  daysTable,
  Headline,
  ListLink,
  partialNote,
  STATUS_PARTS,
  UnknownChange,
} from "./report-parts.tsx";
import type { ReadyReport } from "./use-reports.ts";

export function describeSubscribers(
  ready: ReadyReport<"subscribers">,
  tools: CardTools,
): ReportSummary {
  const { t } = tools;
  const { active, days } = ready.figure;
  const lines = STATUS_PARTS.map((state) => ({
    line: state,
    name: t(`states.${state}`),
    tone: state,
  }));
  return {
    body: (
      <Headline aside={<CountChange {...active} />}>
        <CountLink {...active} />
      </Headline>
    ),
    chart: (
      <DaysChart isLevel label={t("cards.subscribers.chart")} {...{ tools, days, lines }} />
    ),
    table: daysTable(tools, days, lines),
    rows: active.rows,
    notes: [partialNote(tools, ready, "gap")],
  };
}

/** The lines of the chart, with their parts or the value they are compared with. */
const MOVEMENTS = [
  { line: "begun", tone: "active", moves: ["created"] },
  { line: "lost", tone: "due", moves: ["cancelled", "inactive"] },
  { line: "saved", tone: "accent", moves: ["resumed", "paid_when_due"] },
] as const;

export function describeMovement(
  ready: ReadyReport<"movement">,
  tools: CardTools,
): ReportSummary {
  const { t } = tools;
  const { figure } = ready;
  const { days } = figure;
  const lines = MOVEMENTS.map((one) => ({
    ...one,
    name: t(`cards.movement.lines.${one.line}`),
  }));
  return {
    body: (
      <dl className="report-moves">
        {lines.map(({ line, name, moves }) => (
          <div key={line}>
            <dt>{name}</dt>
            <dd>
              <b>
                <CountLink {...figure[line]} />
              </b>
              <CountChange {...figure[line]} />
            </dd>
            {moves.map((move) => (
              <dd key={move}>
                <span>{t(`cards.movement.moves.${move}`)}</span> <CountLink {...figure[move]} />
              </dd>
            ))}
          </div>
        ))}
      </dl>
    ),
    chart: <DaysChart label={t("cards.movement.chart")} {...{ tools, days, lines }} />,
    table: daysTable(tools, days, [
      { line: "created", name: t("cards.movement.moves.created") },
      ...lines,
    ]),
    rows: figure.created.rows,
    notes: [partialNote(tools, ready)],
  };
}

export function describeLeaving(
  { figure: { reasons } }: ReadyReport<"leaving">,
  { t, format }: CardTools,
): ReportSummary {
  const most = Math.max(...reasons.map(({ count }) => count));
  return {
    none: t("cards.leaving.none"),
    table: {
      heads: [t("heads.reason"), t("heads.inPeriod"), t("heads.before")],
      rows: reasons.map(({ reason, count, before }) => ({
        key: reason ?? "",
        cells: [
          <LeaveReason key="reason" {...{ reason }} percent={most && (100 * count) / most} />,
          format.count(count),
          format.count(before),
        ],
      })),
    },
  };
}

function LeaveReason({ reason, percent }: { reason: string | null; percent: number }) {
  return (
    <>
      {nameLeaveReason(useTranslations("leaving"), reason)}
      <ShareBar percent={Math.round(percent * 10) / 10} />
    </>
  );
}

export function describeCheckouts(
  { figure }: ReadyReport<"checkouts">,
  { t, format }: CardTools,
): ReportSummary {
  const { created, finished, waiting } = figure;
  const outcomes = (["finished", "unpaid"] as const).map((key) => ({
    key,
    name: t(`cards.checkouts.outcomes.${key}`),
    ...figure[key],
  }));
  return {
    body: (
      <>
        <Headline aside={<CountChange {...created} />}>
          {t("cards.checkouts.created", { count: created.count })}
        </Headline>
        <p className="mb-2 min-h-5 text-sm text-muted">
          {created.count > 0 &&
            t("cards.checkouts.share", {
              percent: format.count(Math.round((100 * finished.count) / created.count)),
            })}
        </p>
      </>
    ),
    chart: (
      <>
        <BarChart
          label={t("cards.checkouts.chart")}
          labels={outcomes.map(({ name }) => ({ name, short: name }))}
          series={[
            {
              name: t("cards.checkouts.number"),
              tone: "accent",
              points: outcomes.map(({ count }) => ({
                value: count,
                text: format.count(count),
              })),
            },
          ]}
          formatValue={format.count}
        />
        <p className="mt-2 text-sm">
          <ListLink rows={waiting.rows ?? {}}>
            {t("cards.checkouts.waiting", { count: waiting.count })}
          </ListLink>
        </p>
      </>
    ),
    table: {
      heads: [t("heads.checkouts"), t("heads.inPeriod"), t("heads.before")],
      rows: [
        { key: "all", name: t("cards.checkouts.outcomes.all"), ...created },
        ...outcomes,
      ].map(({ key, name, before, ...counted }) => ({
        key,
        cells: [
          name,
          <CountLink key="count" {...counted} />,
          before === null ? <UnknownChange key="before" /> : format.count(before),
        ],
      })),
    },
    rows: created.rows,
  };
}

export function describeProducts(
  { figure }: ReadyReport<"products">,
  { t, format, currency }: CardTools,
): ReportSummary {
  const plans = figure.plans.filter((plan) => plan.currency === currency);
  const largest = Math.max(...plans.map(({ revenue }) => Number(revenue)));
  const money = (amount: string) => format.money(amount, currency);
  return {
    none: t("cards.products.none"),
    table: {
      heads: [
        t("heads.plan"),
        t("states.active"),
        t("states.due"),
        t("heads.aMonth"),
        t("heads.collected"),
        t("heads.net"),
      ],
      rows: plans.map((plan) => ({
        key: `${plan.product_id} ${plan.plan_name}`,
        cells: [
          <PlanName key="name" {...{ plan, largest }} />,
          format.count(plan.active),
          format.count(plan.due),
          money(plan.revenue),
          money(plan.collected.amount),
          money(plan.collected.net),
        ],
      })),
    },
    notes: [
      figure.estimated > 0 && t("cards.products.estimated", { count: figure.estimated }),
      figure.unknown > 0 && t("cards.products.unknown", { count: figure.unknown }),
    ],
  };
}

/** The name with a bar relative to the largest revenue. */
function PlanName({
  plan: { rows, product_name, plan_name, revenue },
  largest,
}: {
  plan: ProductsReport["plans"][number];
  largest: number;
}) {
  return (
    <>
      <ListLink rows={rows}>{product_name}</ListLink> <span>{plan_name}</span>
      <ShareBar
        percent={largest > 0 ? Math.round((1000 * Number(revenue)) / largest) / 10 : 0}
      />
    </>
  );
}

/** The number of shades: the darker a cell, the more subscribers remain. Its text has the share. */
const DEPTHS = 5;

export function describeRetention(
  { figure: { months } }: ReadyReport<"retention">,
  { t, format }: CardTools,
): ReportSummary {
  const longest = Math.max(0, ...months.map(({ left }) => left.length));
  const later = Array.from({ length: longest }, (_month, at) => at);
  const cellOf = (left: number | null | undefined, begun: number) => {
    if (left === undefined) return null;
    if (left === null || begun === 0) return <MissingValue />;
    const share = left / begun;
    return (
      <span data-depth={Math.min(DEPTHS, 1 + Math.floor(share * DEPTHS))}>
        {t("cards.retention.left", { percent: format.count(Math.round(share * 100)) })}
        <span>{` ${t("cards.retention.leftOf", { left, begun })}`}</span>
      </span>
    );
  };
  return {
    none: t("cards.retention.none"),
    table: {
      heads: [
        t("heads.month"),
        t("heads.begun"),
        ...later.map((at) => t("cards.retention.after", { months: at })),
      ],
      rows: months.map(({ month, begun, left, rows }) => ({
        key: month,
        cells: [
          format.month(month),
          <CountLink key="begun" count={begun} rows={rows} />,
          ...later.map((at) => cellOf(left[at], begun)),
        ],
      })),
    },
  };
}
