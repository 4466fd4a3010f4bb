import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import { AmountToPay, ProductAmountToPay } from "#components/values/to-pay.tsx";
import { useFormat } from "#components/context/seller-context.tsx";
import type { ToPay } from "#lib/format/format.ts";
import { isPayable } from "#lib/money/payable.ts";
import { SubscriptionLink } from "./subscription-link.tsx";

interface SubscriptionRowsProps {
  label: string;
  /** The rows; undefined while loading, when skeleton rows are shown. */
  subscriptions: Subscription[] | undefined;
  expectedRows: number;
  namedBy: "buyer" | "product";
  aside: (subscription: Subscription) => ReactNode;
  /** The amounts owed, if they differ from the price. */
  owed?: (subscription: Subscription) => ToPay[] | undefined;
  action?: (subscription: Subscription) => ReactNode;
}

export function SubscriptionRows(props: SubscriptionRowsProps) {
  const { label, subscriptions, expectedRows } = props;
  if (subscriptions === undefined) {
    return (
      <div aria-busy className="divide-y">
        {Array.from({ length: expectedRows }, (_, index) => (
          <div key={index} className="flex h-15 items-center px-4">
            <span className="skeleton h-4 w-3/5" />
          </div>
        ))}
      </div>
    );
  }
  return (
    <ul aria-label={label} className="divide-y">
      {subscriptions.map((subscription) => (
        <SubscriptionRow
          key={subscription.subscription_id}
          {...props}
          subscription={subscription}
        />
      ))}
    </ul>
  );
}

function SubscriptionRow({
  subscription,
  namedBy,
  aside,
  owed,
  action,
}: SubscriptionRowsProps & { subscription: Subscription }) {
  const { client, product } = subscription;
  const t = useTranslations("subscriptions");
  const plan = [product.plan_name, product.label].filter(Boolean).join(" · ");
  const format = useFormat();
  const amounts = owed?.(subscription) ?? [];
  const isNamedByBuyer = namedBy === "buyer";
  return (
    <li data-row={subscription.subscription_id} className="record-row">
      <div>
        <SubscriptionLink subscription={subscription}>
          {isNamedByBuyer ? null : product.name || t("noProduct")}
        </SubscriptionLink>
        <span>
          {isNamedByBuyer ? [client.phone, product.name].filter(Boolean).join(" · ") : plan}
        </span>
      </div>
      <div>
        <span>
          {amounts.length > 0 ? (
            format.toPay(...amounts)
          ) : isPayable(subscription) ? (
            <ProductAmountToPay product={product} />
          ) : (
            <AmountToPay to_pay={{ ...product, amount: product.price, is_list_price: true }} />
          )}
        </span>
        {/* The height is fixed, because a badge is taller than the line. */}
        <span>
          <span>{aside(subscription)}</span>
        </span>
      </div>
      {action?.(subscription)}
    </li>
  );
}
