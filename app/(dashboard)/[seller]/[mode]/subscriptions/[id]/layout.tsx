import type { ReactNode } from "react";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { SubscriptionChangeProvider } from "#components/subscriptions/record/subscription-change-context.tsx";

export default function SubscriptionLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages of="subscriptions/record">
      <SubscriptionChangeProvider>{children}</SubscriptionChangeProvider>
    </ClientMessages>
  );
}
