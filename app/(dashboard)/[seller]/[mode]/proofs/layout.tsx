import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function ProofsLayout({ children }: { children: ReactNode }) {
  return <Words of={["proofs"]}>{children}</Words>;
}
