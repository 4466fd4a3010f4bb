import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function ProductsLayout({ children }: { children: ReactNode }) {
  return <Words of={["products"]}>{children}</Words>;
}
