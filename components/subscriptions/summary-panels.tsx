"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { TimerOff } from "#components/ui/icons.tsx";
import { IndexFreshness, useDescribeIndexAbsence } from "#components/list/index-notice.tsx";
import { RelativeDay } from "#components/values/day.tsx";
import { useFormat } from "#components/context/seller-context.tsx";
import { ProductAmountToPay } from "#components/values/to-pay.tsx";
import type {
  DueSubscriptions,
  EndingSoon,
  PayableSubscription,
  WaitingCheckouts,
} from "#lib/overview/queries.ts";
import { PANEL_ROWS, SOON_DAYS } from "#lib/overview/rules.ts";
import type { SubscriptionCounts, SubscriptionList } from "#lib/subscriptions/queries.ts";
import { countOfStatus } from "#lib/subscriptions/rules.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ListPrice, SubscriptionAmount, SubscriptionRows } from "./subscription-rows.tsx";
import { statusLabel, SubscriptionStatusBadge } from "./subscription-status-badge.tsx";
import { EmptyPanelText, SummaryPanel, type SummaryPart } from "./summary-panel.tsx";

const EXPECTED_ROWS = PANEL_ROWS;

interface CountedProps<Data> {
  part: SummaryPart<Data>;
  /** The counts of the search index; null if it cannot count. */
  counts: SubscriptionCounts | null;
}

/** Due subscriptions, longest overdue first. */
export function DueSubscriptionsPanel({ part, counts }: CountedProps<DueSubscriptions>) {
  const t = useTranslations("subscriptions");
  const format = useFormat();
  const describeAbsence = useDescribeIndexAbsence();
  const absence = part.data?.absence;
  return (
    <PayablePanel
      name="due"
      status="due"
      {...{ part, counts }}
      links={[{ label: t("panel.due.collect"), href: "/collection?group=due" }]}
      note={absence && describeAbsence(absence)}
      amount={({ owed, product }) =>
        owed.length > 0 ? format.toPay(...owed) : <ProductAmountToPay product={product} />
      }
      aside={({ next_billing_cycle: day }) => (
        <span className="font-medium text-due">
          {day ? <RelativeDay iso={day} /> : statusLabel(t, "due")}
        </span>
      )}
    />
  );
}

export function WaitingCheckoutsPanel({ part, counts }: CountedProps<WaitingCheckouts>) {
  const t = useTranslations("subscriptions");
  return (
    <PayablePanel
      name="waiting"
      status="pending_checkout"
      {...{ part, counts }}
      amount={({ product }) => <ProductAmountToPay product={product} />}
      aside={({ created_at }) =>
        created_at &&
        t.rich("panel.waiting.created", {
          more: (words) => <span className="max-sm:sr-only">{words}</span>,
          day: () => <RelativeDay iso={created_at} />,
        })
      }
    />
  );
}

interface Payable<Row> {
  subscriptions: Row[];
  total: number | null;
}

interface PayablePanelProps<Row> extends CountedProps<Payable<Row>> {
  name: "due" | "waiting";
  status: "due" | "pending_checkout";
  links?: { label: string; href: string }[];
  note?: ReactNode;
  amount: (subscription: Row) => ReactNode;
  aside: (subscription: Row) => ReactNode;
}

function PayablePanel<Row extends PayableSubscription>(props: PayablePanelProps<Row>) {
  const { name, status, part, counts, links = [], note, amount, aside } = props;
  const t = useTranslations("subscriptions");
  const { data } = part;
  const title = t(`panel.${name}.title`);
  return (
    <SummaryPanel
      title={title}
      count={data && (countOfStatus({ counts, page: undefined }, status) ?? data.total)}
      links={[...links, { label: t("panel.seeAll"), href: `/subscriptions?status=${status}` }]}
      {...{ part, note }}
    >
      {data?.subscriptions.length === 0 ? (
        <EmptyPanelText>{t(`panel.${name}.none`)}</EmptyPanelText>
      ) : (
        <SubscriptionRows
          label={title}
          subscriptions={data?.subscriptions}
          expectedRows={EXPECTED_ROWS}
          {...{ amount, aside }}
          action={(subscription) => <CopyLink subscription={subscription} />}
        />
      )}
    </SummaryPanel>
  );
}

function CopyLink({
  subscription: { client, checkout_url },
}: {
  subscription: PayableSubscription;
}) {
  const t = useTranslations("subscriptions.panel");
  if (checkout_url === null) return null;
  return (
    <span className="relative z-10 -mr-1 flex shrink-0 flex-col" title={t("copyLink")}>
      <CopyButton
        text={checkout_url}
        label={t("copyLink")}
        what={t("copyFor", { name: client.full_name || client.phone })}
        isCompact
      />
    </span>
  );
}

/** Subscriptions that end or bill within the week. */
export function EndingSoonPanel({ part }: { part: SummaryPart<EndingSoon> }) {
  const t = useTranslations("subscriptions");
  const describeAbsence = useDescribeIndexAbsence();
  const { data } = part;
  const note = data?.index ? (
    <IndexFreshness found={data.index} />
  ) : (
    data?.absence && `${describeAbsence(data.absence)} ${t("panel.soon.endingOnly")}`
  );
  return (
    <SummaryPanel
      title={t("panel.soon.title")}
      count={data?.total}
      isLeast={data?.is_least}
      links={[
        { label: t("panel.soon.ending"), href: "/subscriptions?status=pending_cancellation" },
        { label: statusLabel(t, "active"), href: "/subscriptions?status=active" },
      ]}
      part={part}
      note={note}
    >
      {data?.subscriptions.length === 0 ? (
        <EmptyPanelText>{t("panel.soon.none", { days: SOON_DAYS })}</EmptyPanelText>
      ) : (
        <SubscriptionRows
          label={t("panel.soon.title")}
          subscriptions={data?.subscriptions}
          expectedRows={EXPECTED_ROWS}
          amount={({ status, product }) =>
            status === "active" ? (
              <ProductAmountToPay product={product} />
            ) : (
              <ListPrice product={product} />
            )
          }
          aside={(subscription) => <SoonAside subscription={subscription} />}
        />
      )}
    </SummaryPanel>
  );
}

type SoonSubscription = EndingSoon["subscriptions"][number];

function SoonAside({ subscription }: { subscription: SoonSubscription }) {
  const { status, next_billing_cycle, current_period_end } = subscription;
  const t = useTranslations("subscriptions");
  const when = next_billing_cycle ?? current_period_end;
  const day = () => when && <RelativeDay iso={when} />;
  if (status !== "pending_cancellation") return t.rich("bills", { day });
  return (
    <span className="inline-flex items-center gap-1 font-medium text-ending">
      <TimerOff aria-hidden className="size-3" />
      {when ? t.rich("ends", { day }) : t("panel.soon.endsWithPeriod")}
    </span>
  );
}

export function LatestSubscriptionsPanel({ part }: { part: SummaryPart<SubscriptionList> }) {
  const t = useTranslations("subscriptions");
  return (
    <SummaryPanel
      title={t("panel.latest.title")}
      links={[{ label: t("panel.seeAll"), href: "/subscriptions" }]}
      part={part}
    >
      <SubscriptionRows
        label={t("panel.latest.title")}
        subscriptions={part.data?.results}
        expectedRows={EXPECTED_ROWS}
        amount={(subscription) => <SubscriptionAmount subscription={subscription} />}
        aside={({ status }) => <SubscriptionStatusBadge status={status} />}
      />
    </SummaryPanel>
  );
}
