"use client";

import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useCommandWindow } from "#components/shell/command-window.ts";
import { useWarmUp } from "#components/ui/overlays/popup.ts";
import { useShortcuts } from "./use-shortcuts.ts";
import { useFocusRecovery, useNavigationFocus } from "./page-focus.ts";

const loadWindows = () => import("./command-windows.tsx");
const CommandWindows = lazy(async () => ({ default: (await loadWindows()).CommandWindows }));

/** Mounted once per page: keyboard shortcuts, focus handling, and the windows that shortcuts open. */
export function CommandLayer() {
  useShortcuts();
  useNavigationFocus();
  useFocusRecovery();
  const [isAwake, setAwake] = useState(false);
  const wake = useCallback(() => loadWindows().then(() => setAwake(true)), []);
  useWarmUp(wake);
  const shown = useCommandWindow();
  // Marks when shortcuts are active; browser tests wait for it.
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => mark.current?.setAttribute("data-keys", "ready"), []);
  return (
    <>
      <span ref={mark} hidden data-keys="awaited" />
      {(isAwake || shown) && (
        <Suspense fallback={shown && <div className="scrim" />}>
          <CommandWindows shown={shown} />
        </Suspense>
      )}
    </>
  );
}
