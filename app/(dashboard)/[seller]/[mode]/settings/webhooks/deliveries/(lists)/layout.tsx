import type { ReactNode } from "react";
import { DeliveryTabs } from "#components/deliveries/delivery-tabs.tsx";

export default function DeliveriesLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <DeliveryTabs />
      {children}
    </>
  );
}
