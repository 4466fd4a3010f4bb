import { useQuery } from "@tanstack/react-query";
import { useParams, usePathname } from "next/navigation";
import { useEffect } from "react";
import { useSeller } from "#components/context/seller-context.tsx";
import { scopePath, type Scope } from "#lib/scope.ts";
import { customerQuery } from "#lib/customers/queries.ts";
import { productQuery } from "#lib/products/queries.ts";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";
import { describeCustomer, describeProduct, describeSubscription } from "./record-names.ts";
import { kindOfRecordAt, addRecent, type RecordKind } from "./recent-records.ts";

/** Records which subscription, customer or product the page shows; sends no request of its own. */
export function RecentRecorder() {
  const { scope, person } = useSeller();
  const { id = "" } = useParams<{ id?: string }>();
  const kind = kindOfRecordAt(usePathname().slice(scopePath(scope).length));
  const record = useShownRecord(scope, kind, id);
  const text = JSON.stringify(record);
  useEffect(() => {
    const named = JSON.parse(text) as typeof record;
    if (named?.title) addRecent(person, scope, named);
  }, [person, scope, text]);
  return null;
}

function useShownRecord(scope: Scope, kind: RecordKind | null, id: string) {
  const enabled = false;
  const subscription = useQuery({ ...subscriptionQuery(scope, id), enabled }).data;
  const customer = useQuery({ ...customerQuery(scope, id), enabled }).data;
  const product = useQuery({ ...productQuery(scope, id), enabled }).data;
  switch (kind) {
    case "subscription":
      return subscription ? describeSubscription(subscription.subscription) : null;
    case "customer":
      return customer ? describeCustomer(customer) : null;
    case "product":
      return product?.product ? describeProduct(product.product) : null;
    case null:
      return null;
  }
}
