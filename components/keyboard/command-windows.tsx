import { usePathname } from "next/navigation";
import { useEffect, useLayoutEffect } from "react";
import { useQuery } from "@tanstack/react-query";
import { type CommandWindow, openCommandWindow } from "#components/shell/command-window.tsx";
import { useRecordId, useScopedPath, useSeller } from "#components/context/seller-context.tsx";
import type { Scope } from "#lib/scope.ts";
import { customerQuery } from "#lib/customers/queries.ts";
import { productQuery } from "#lib/products/queries.ts";
import { subscriptionQuery } from "#lib/subscriptions/queries.ts";
import { ShortcutList } from "./shortcut-list.tsx";
import { Palette } from "./palette.tsx";
import {
  addRecent,
  describeCustomer,
  describeProduct,
  describeSubscription,
  kindOfRecordAt,
  type RecordKind,
} from "./recent-records.ts";

/** The palette, the shortcut list and the recorder of recent pages; loaded at the first interaction. */
export function CommandWindows({ shown }: { shown: CommandWindow | null }) {
  const path = usePathname();
  // The browser's back button leaves the page that a window belongs to. Layout effects run early enough
  // not to close a window that the user has already opened on the next page.
  useLayoutEffect(() => () => openCommandWindow(null), [path]);
  return (
    <>
      <RecentRecorder />
      {shown === "palette" && <Palette />}
      <ShortcutList isOpen={shown === "keys"} />
    </>
  );
}

/** Records which subscription, customer or product the page shows; sends no request of its own. */
function RecentRecorder() {
  const { scope, person } = useSeller();
  const id = useRecordId();
  const kind = kindOfRecordAt(useScopedPath());
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
