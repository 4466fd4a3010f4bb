import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function SubscriptionListLayout({ children }: { children: ReactNode }) {
  return <Words of={["audit", "bulk", "finding", "owed", "views"]}>{children}</Words>;
}
