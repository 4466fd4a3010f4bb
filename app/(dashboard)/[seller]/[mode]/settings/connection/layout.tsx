import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function ConnectionLayout({ children }: { children: ReactNode }) {
  return <Words of={["connection"]}>{children}</Words>;
}
