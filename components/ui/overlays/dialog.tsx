"use client";

import { createContext, lazy, Suspense, use, useEffect, useState, type ReactNode } from "react";
import { useWarmUp } from "./warm-up.ts";

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Asks before Escape or its button loses what was typed and not sent. */
  keepsWords?: boolean;
  children: ReactNode;
}

const loadWindow = () => import("./dialog-window.tsx");
const DialogWindow = lazy(async () => ({ default: (await loadWindow()).DialogWindow }));

const HoldContext = createContext<(isHeld: boolean) => void>(() => {});

/** Keeps the dialog around it open while something is under way whose answer is shown there only. */
export function useDialogHold(isHeld: boolean): void {
  const hold = use(HoldContext);
  useEffect(() => {
    hold(isHeld);
    return () => hold(false);
  }, [hold, isHeld]);
}

/**
 * A modal dialog, on phones a sheet at the foot: it keeps the focus, closes on Escape and gives the
 * focus back. Its content begins anew each time it opens.
 */
export function Dialog({ title, isOpen, onClose, keepsWords = false, children }: DialogProps) {
  const [isHeld, setHeld] = useState(false);
  useWarmUp(loadWindow);
  if (!isOpen) return null;
  return (
    <Suspense fallback={<div className="scrim" />}>
      <DialogWindow {...{ title, onClose, keepsWords, isHeld }}>
        <HoldContext value={setHeld}>{children}</HoldContext>
      </DialogWindow>
    </Suspense>
  );
}

/** As a ref: gets the focus when its dialog opens, or when it comes into one that is open. */
export function initialFocus(element: HTMLElement | null) {
  // React sets no such attribute; the dialog looks for it when it opens.
  element?.setAttribute("autofocus", "");
  element?.focus();
}
