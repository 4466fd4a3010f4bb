import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function ReceivedLayout({ children }: { children: ReactNode }) {
  return <Words of={["receiver"]}>{children}</Words>;
}
