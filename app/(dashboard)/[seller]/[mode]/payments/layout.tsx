import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function PaymentsLayout({ children }: { children: ReactNode }) {
  return <Words of={["payments"]}>{children}</Words>;
}
