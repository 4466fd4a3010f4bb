import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function ResultsLayout({ children }: { children: ReactNode }) {
  return <Words of={["collection", "finding", "reminding"]}>{children}</Words>;
}
