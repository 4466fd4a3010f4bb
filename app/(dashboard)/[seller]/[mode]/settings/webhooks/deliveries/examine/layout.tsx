import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function ExamineLayout({ children }: { children: ReactNode }) {
  return <Words of={["examine"]}>{children}</Words>;
}
