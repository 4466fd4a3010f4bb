import type { ReactNode } from "react";
import { DeliveryTabs } from "#components/webhooks/webhook-pages.tsx";

export default function DeliveriesLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <DeliveryTabs />
      {children}
    </>
  );
}
