"use client";

import { lazy, Suspense, useCallback, useEffect, useRef, useState } from "react";
import { useDeskWindow } from "#components/shell/desk-window.ts";
import { useWarmUp } from "#components/ui/overlays/warm-up.ts";
import { useDeskKeys } from "./use-desk-keys.ts";
import { useFocusNet } from "./use-focus-net.ts";
import { useLandingFocus } from "./use-landing-focus.ts";

const loadWindows = () => import("./desk-windows.tsx");
const DeskWindows = lazy(async () => ({ default: (await loadWindows()).DeskWindows }));

/** Once a page: the keys that work on all of them, where the focus goes, and what keys open. */
export function Desk() {
  useDeskKeys();
  useLandingFocus();
  useFocusNet();
  const [isAwake, setAwake] = useState(false);
  const wake = useCallback(() => loadWindows().then(() => setAwake(true)), []);
  useWarmUp(wake);
  const shown = useDeskWindow();
  // The page is there before its keys are: a program that presses them waits for this.
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => mark.current?.setAttribute("data-keys", "ready"), []);
  return (
    <>
      <span ref={mark} hidden data-keys="awaited" />
      {(isAwake || shown) && (
        <Suspense fallback={shown && <div className="scrim" />}>
          <DeskWindows shown={shown} />
        </Suspense>
      )}
    </>
  );
}
