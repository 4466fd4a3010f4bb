import type { ReactNode } from "react";
import { Words } from "#components/layout/words.tsx";

export default function SandboxLayout({ children }: { children: ReactNode }) {
  return <Words of={["sandbox"]}>{children}</Words>;
}
