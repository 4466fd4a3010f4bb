import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function NewSubscriptionLayout({ children }: { children: ReactNode }) {
  return <Words of={["create"]}>{children}</Words>;
}
