import type { ReactNode } from "react";
import { SellerProvider } from "#components/context/seller-context.tsx";
import { ClientMessages } from "#components/shell/client-messages.tsx";

const SPECIMEN = {
  scope: { seller: "0000000000", mode: "test" },
  name: "Style",
  time_zone: "Asia/Kathmandu",
  currency: "NPR",
  amount_style: "code",
  role: "owner",
  lacks_second_factor: false,
  person: "nobody",
  second_calendar: null,
  character_keys: false,
  now: "2026-11-20T06:00:00Z",
} as const;

/** What the parts find around them on a page of a seller. */
export default function StyleguideLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages of={["table", "audit", "bulk", "deliveries", "subscriptions", "team"]}>
      <SellerProvider {...SPECIMEN}>{children}</SellerProvider>
    </ClientMessages>
  );
}
