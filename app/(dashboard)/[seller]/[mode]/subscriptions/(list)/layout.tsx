import type { ReactNode } from "react";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { RecordOverList } from "#components/subscriptions/record/record-over-list.tsx";

export default function SubscriptionsLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages of="subscriptions/list">
      <RecordOverList>{children}</RecordOverList>
    </ClientMessages>
  );
}
