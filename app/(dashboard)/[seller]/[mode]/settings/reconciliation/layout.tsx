import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function ReconciliationLayout({ children }: { children: ReactNode }) {
  return <Words of={["reconciliation"]}>{children}</Words>;
}
