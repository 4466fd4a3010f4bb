import type { ComponentProps, ReactNode } from "react";
import type { Subscription } from "#contract/subscriptions.ts";
import { AmountToPay, ProductAmountToPay } from "#components/values/to-pay.tsx";
import { isPayable } from "#lib/money/payable.ts";
import type { ListedSubscription } from "#lib/subscriptions/queries.ts";
import { SubscriptionLink } from "./subscription-link.tsx";

interface RowSubscription {
  subscription_id: string;
  client: Pick<Subscription["client"], "full_name" | "phone">;
  product: Pick<Subscription["product"], "name">;
}

interface SubscriptionRowsProps<Row extends RowSubscription> {
  label: string;
  /** The rows; undefined while loading, when skeleton rows are shown. */
  subscriptions: Row[] | undefined;
  expectedRows: number;
  /** The row's lines; by default, the buyer and the product. */
  lines?: (subscription: Row) => { name: string; detail: string };
  amount: (subscription: Row) => ReactNode;
  aside: (subscription: Row) => ReactNode;
  action?: (subscription: Row) => ReactNode;
}

export function SubscriptionRows<Row extends RowSubscription>(
  props: SubscriptionRowsProps<Row>,
) {
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

const buyerAndProduct = ({ client, product }: RowSubscription) => ({
  name: "",
  detail: [client.phone, product.name].filter(Boolean).join(" · "),
});

function SubscriptionRow<Row extends RowSubscription>({
  subscription,
  lines = buyerAndProduct,
  amount,
  aside,
  action,
}: SubscriptionRowsProps<Row> & { subscription: Row }) {
  const { name, detail } = lines(subscription);
  return (
    <li data-row={subscription.subscription_id} className="record-row">
      <div>
        <SubscriptionLink subscription={subscription}>{name}</SubscriptionLink>
        <span>{detail}</span>
      </div>
      <div>
        <span>{amount(subscription)}</span>
        {/* The height is fixed, because a badge is taller than the line. */}
        <span>
          <span>{aside(subscription)}</span>
        </span>
      </div>
      {action?.(subscription)}
    </li>
  );
}

/** The amount to pay today; the list price if nothing can be paid. */
export function SubscriptionAmount({ subscription }: { subscription: ListedSubscription }) {
  const { product } = subscription;
  return isPayable(subscription) ? (
    <ProductAmountToPay product={product} />
  ) : (
    <ListPrice product={product} />
  );
}

export function ListPrice({
  product,
}: {
  product: ComponentProps<typeof ProductAmountToPay>["product"];
}) {
  return <AmountToPay to_pay={{ ...product, amount: product.price, is_list_price: true }} />;
}
