import type { ReactNode } from "react";
import { Words } from "#components/layout/words.tsx";

export default function ReconciliationLayout({ children }: { children: ReactNode }) {
  return <Words of={["reconciliation"]}>{children}</Words>;
}
