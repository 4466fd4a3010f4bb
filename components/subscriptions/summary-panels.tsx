"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { TimerOff } from "#components/ui/icons.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { IndexFreshness, useDescribeIndexAbsence } from "#components/list/index-notice.tsx";
import { RelativeDay } from "#components/values/day.tsx";
import type {
  DueSubscriptions,
  EndingSoon,
  PayableSubscription,
  WaitingCheckouts,
} from "#lib/overview/queries.ts";
import { SOON_DAYS } from "#lib/overview/rules.ts";
import type { SubscriptionCounts, SubscriptionList } from "#lib/subscriptions/queries.ts";
import { countOfStatus } from "#lib/subscriptions/rules.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { ToPay } from "#lib/format/format.ts";
import { SubscriptionRows } from "./subscription-rows.tsx";
import { statusLabel, SubscriptionStatusBadge } from "./subscription-status-badge.tsx";
import { EmptyPanelText, SummaryPanel, type SummaryPart } from "./summary-panel.tsx";

const EXPECTED_ROWS = 6;

interface CountedProps<Data> {
  part: SummaryPart<Data>;
  /** The counts of the search index; null if it cannot count. */
  counts: SubscriptionCounts | null;
}

/** Due subscriptions, longest overdue first. */
export function DueSubscriptionsPanel({ part, counts }: CountedProps<DueSubscriptions>) {
  const t = useTranslations("subscriptions");
  const describeAbsence = useDescribeIndexAbsence();
  const absence = part.data?.absence;
  return (
    <PayablePanel
      name="due"
      status="due"
      {...{ part, counts }}
      links={[{ label: t("panel.due.collect"), href: "/collection?group=due" }]}
      note={absence && describeAbsence(absence)}
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

interface Payable {
  /** `owed`: the amount to pay with earlier debts, if known. */
  records: (PayableSubscription & { owed?: ToPay[] })[];
  total: number | null;
}

interface PayablePanelProps extends CountedProps<Payable> {
  name: "due" | "waiting";
  status: "due" | "pending_checkout";
  links?: { label: string; href: string }[];
  note?: ReactNode;
  aside: (subscription: Subscription) => ReactNode;
}

function PayablePanel(props: PayablePanelProps) {
  const { name, status, part, counts, links = [], note, aside } = props;
  const t = useTranslations("subscriptions");
  const { data } = part;
  const title = t(`panel.${name}.title`);
  const recordsById = new Map(
    data?.records.map((record) => [record.subscription.subscription_id, record]),
  );
  const recordOf = ({ subscription_id }: Subscription) => recordsById.get(subscription_id);
  return (
    <SummaryPanel
      title={title}
      count={data && (countOfStatus({ counts, page: undefined }, status) ?? data.total)}
      links={[...links, { label: t("panel.seeAll"), href: `/subscriptions?status=${status}` }]}
      {...{ part, note }}
    >
      {data?.records.length === 0 ? (
        <EmptyPanelText>{t(`panel.${name}.none`)}</EmptyPanelText>
      ) : (
        <SubscriptionRows
          label={title}
          subscriptions={data?.records.map(({ subscription }) => subscription)}
          expectedRows={EXPECTED_ROWS}
          namedBy="buyer"
          aside={aside}
          owed={(subscription) => recordOf(subscription)?.owed}
          action={(subscription) => (
            <CopyLink
              subscription={subscription}
              link={recordOf(subscription)?.checkout_url ?? null}
            />
          )}
        />
      )}
    </SummaryPanel>
  );
}

function CopyLink({ subscription, link }: { subscription: Subscription; link: string | null }) {
  const t = useTranslations("subscriptions.panel");
  if (link === null) return null;
  const { full_name, phone } = subscription.client;
  return (
    <span className="relative z-10 -mr-1 flex shrink-0 flex-col" title={t("copyLink")}>
      <CopyButton
        text={link}
        label={t("copyLink")}
        what={t("copyFor", { name: full_name || phone })}
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
          namedBy="buyer"
          aside={(subscription) => <SoonAside subscription={subscription} />}
        />
      )}
    </SummaryPanel>
  );
}

function SoonAside({ subscription }: { subscription: Subscription }) {
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

const LATEST = 6;

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
        subscriptions={part.data?.results.slice(0, LATEST)}
        expectedRows={LATEST}
        namedBy="buyer"
        aside={({ status }) => <SubscriptionStatusBadge status={status} />}
      />
    </SummaryPanel>
  );
}
