import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function BulkLayout({ children }: { children: ReactNode }) {
  return <Words of={["audit", "bulk", "owed"]}>{children}</Words>;
}
