import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function CollectionLayout({ children }: { children: ReactNode }) {
  return (
    <Words of={["audit", "collection", "finding", "owed", "record", "subscriptions", "table"]}>
      {children}
    </Words>
  );
}
