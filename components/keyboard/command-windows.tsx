import { usePathname } from "next/navigation";
import { useLayoutEffect } from "react";
import { openCommandWindow, type CommandWindow } from "#components/shell/command-window.ts";
import { ShortcutList } from "./shortcut-list.tsx";
import { Palette } from "./palette.tsx";
import { RecentRecorder } from "./recent-recorder.tsx";

/** What opens above any page, and what it remembers of them; fetched at the first sign of use. */
export function CommandWindows({ shown }: { shown: CommandWindow | null }) {
  const path = usePathname();
  // The browser's own back button leaves the page that they belong to. Closed as the next page comes: a
  // moment later, what somebody opened there already would be closed instead.
  useLayoutEffect(() => () => openCommandWindow(null), [path]);
  return (
    <>
      <RecentRecorder />
      {shown === "palette" && <Palette />}
      <ShortcutList isOpen={shown === "keys"} />
    </>
  );
}
