import type { ReactNode } from "react";
import { Words } from "#components/layout/words.tsx";
import { SubscriptionChangeProvider } from "#components/subscriptions/subscription-change-context.tsx";

export default function SubscriptionLayout({ children }: { children: ReactNode }) {
  return (
    <Words of={["record", "audit", "sandbox"]}>
      <SubscriptionChangeProvider>{children}</SubscriptionChangeProvider>
    </Words>
  );
}
