import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function CustomersLayout({ children }: { children: ReactNode }) {
  return <Words of={["customers", "finding"]}>{children}</Words>;
}
