import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function RecordLayout({ children }: { children: ReactNode }) {
  return <Words of={["audit"]}>{children}</Words>;
}
