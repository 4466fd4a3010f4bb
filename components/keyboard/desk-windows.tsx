import { usePathname } from "next/navigation";
import { useLayoutEffect } from "react";
import { openDeskWindow, type DeskWindow } from "#components/shell/desk-window.ts";
import { KeyList } from "./key-list.tsx";
import { Palette } from "./palette.tsx";
import { RecentKeeper } from "./recent-keeper.tsx";

/** What opens above any page, and what it remembers of them; fetched at the first sign of use. */
export function DeskWindows({ shown }: { shown: DeskWindow | null }) {
  const path = usePathname();
  // The browser's own back button leaves the page that they belong to. Closed as the next page comes: a
  // moment later, what somebody opened there already would be closed instead.
  useLayoutEffect(() => () => openDeskWindow(null), [path]);
  return (
    <>
      <RecentKeeper />
      {shown === "palette" && <Palette />}
      <KeyList isOpen={shown === "keys"} />
    </>
  );
}
