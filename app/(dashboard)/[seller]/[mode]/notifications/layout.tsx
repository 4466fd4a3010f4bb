import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";

export default function NotificationsLayout({ children }: { children: ReactNode }) {
  return <Words of={["notifications"]}>{children}</Words>;
}
