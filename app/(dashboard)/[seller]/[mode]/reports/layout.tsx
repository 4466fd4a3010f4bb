import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function ReportsLayout({ children }: { children: ReactNode }) {
  return <Words of={["reports", "finding"]}>{children}</Words>;
}
