import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function MessagesLayout({ children }: { children: ReactNode }) {
  return <Words of={["messages"]}>{children}</Words>;
}
