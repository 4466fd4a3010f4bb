import type { ReactNode } from "react";
import { Words } from "#components/layout/words.tsx";

export default function SubscriptionListLayout({ children }: { children: ReactNode }) {
  return <Words of={["bulk", "finding", "views"]}>{children}</Words>;
}
