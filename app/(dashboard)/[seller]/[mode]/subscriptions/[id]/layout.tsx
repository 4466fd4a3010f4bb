import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";
import { SubscriptionChangeProvider } from "#components/subscriptions/record/subscription-change-context.tsx";

export default function SubscriptionLayout({ children }: { children: ReactNode }) {
  return (
    <Words of={["audit", "owed", "record", "sandbox"]}>
      <SubscriptionChangeProvider>{children}</SubscriptionChangeProvider>
    </Words>
  );
}
