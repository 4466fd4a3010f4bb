import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function SandboxLayout({ children }: { children: ReactNode }) {
  return <Words of={["sandbox"]}>{children}</Words>;
}
