import type { ReactNode } from "react";
import { SubscriptionChangeProvider } from "#components/subscriptions/record/subscription-change-context.tsx";

export default function SubscriptionLayout({ children }: { children: ReactNode }) {
  return <SubscriptionChangeProvider>{children}</SubscriptionChangeProvider>;
}
