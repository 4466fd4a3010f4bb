import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function FiguresLayout({ children }: { children: ReactNode }) {
  return <Words of={["figures", "finding"]}>{children}</Words>;
}
