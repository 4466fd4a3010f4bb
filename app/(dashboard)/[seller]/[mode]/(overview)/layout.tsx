import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function OverviewLayout({ children }: { children: ReactNode }) {
  return <Words of={["overview", "subscriptions", "guide"]}>{children}</Words>;
}
