import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function ProductLayout({ children }: { children: ReactNode }) {
  return <Words of={["finding", "subscriptions"]}>{children}</Words>;
}
