import { usePathname } from "next/navigation";
import { useLayoutEffect } from "react";
import { openCommandWindow, type CommandWindow } from "#components/shell/command-window.ts";
import { ShortcutList } from "./shortcut-list.tsx";
import { Palette } from "./palette.tsx";
import { RecentRecorder } from "./recent-recorder.tsx";

/** The palette, the shortcut list and the recorder of recent pages; loaded at the first interaction. */
export function CommandWindows({ shown }: { shown: CommandWindow | null }) {
  const path = usePathname();
  // The browser's back button leaves the page that a window belongs to. Layout effects run early enough
  // not to close a window that the user has already opened on the next page.
  useLayoutEffect(() => () => openCommandWindow(null), [path]);
  return (
    <>
      <RecentRecorder />
      {shown === "palette" && <Palette />}
      <ShortcutList isOpen={shown === "keys"} />
    </>
  );
}
