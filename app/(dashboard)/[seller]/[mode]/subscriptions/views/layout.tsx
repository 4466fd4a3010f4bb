import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function ViewsLayout({ children }: { children: ReactNode }) {
  return <Words of={["finding", "views"]}>{children}</Words>;
}
