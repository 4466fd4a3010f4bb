import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import type { ToPay } from "#lib/format/format.ts";
import type { PayableSubscription } from "#lib/overview/queries.ts";
import { SubscriptionRows } from "#components/subscriptions/subscription-rows.tsx";

interface PayableRowsProps {
  label: string;
  /** `owed` is what a due one owes with its debts, if that is known. */
  records: (PayableSubscription & { owed?: ToPay[] })[] | undefined;
  expectedRows: number;
  aside: (subscription: Subscription) => ReactNode;
}

/** Each with its link at hand, because sending it is what comes next. */
export function PayableRows({ label, records, expectedRows, aside }: PayableRowsProps) {
  const recordsById = new Map(
    records?.map((record) => [record.subscription.subscription_id, record]),
  );
  const recordOf = ({ subscription_id }: Subscription) => recordsById.get(subscription_id);
  return (
    <SubscriptionRows
      label={label}
      subscriptions={records?.map(({ subscription }) => subscription)}
      expectedRows={expectedRows}
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
