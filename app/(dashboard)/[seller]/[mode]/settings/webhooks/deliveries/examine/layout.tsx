import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function DoctorLayout({ children }: { children: ReactNode }) {
  return <Words of={["doctor"]}>{children}</Words>;
}
