import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function SubscriptionsLayout({ children }: { children: ReactNode }) {
  return <Words of={["subscriptions"]}>{children}</Words>;
}
