"use client";

import {
  type ComponentProps,
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useState,
} from "react";
import { Button } from "#components/ui/button.tsx";
import type { IconType } from "#components/ui/icons.tsx";
import { usePreload } from "./popup.ts";

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Whether to ask before closing, or going back or forward, discards unsaved input. */
  keepsWords?: boolean;
  children: ReactNode;
}

const loadWindow = () => import("./dialog-window.tsx");
const DialogWindow = lazy(async () => ({ default: (await loadWindow()).DialogWindow }));

const HoldContext = createContext<(isHeld: boolean) => void>(() => {});

/** Keeps the surrounding dialog open during a request whose result is shown only there. */
export function useDialogHold(isHeld: boolean): void {
  const hold = use(HoldContext);
  useEffect(() => {
    hold(isHeld);
    return () => hold(false);
  }, [hold, isHeld]);
}

/**
 * A modal dialog, on phones a bottom sheet: traps the focus, closes on Escape and restores the focus. Its content
 * mounts again each time it opens.
 */
export function Dialog({ title, isOpen, onClose, keepsWords = false, children }: DialogProps) {
  const [isHeld, setHeld] = useState(false);
  usePreload(loadWindow);
  if (!isOpen) return null;
  return (
    <Suspense fallback={<div className="scrim" />}>
      <DialogWindow {...{ title, onClose, keepsWords, isHeld }}>
        <HoldContext value={setHeld}>{children}</HoldContext>
      </DialogWindow>
    </Suspense>
  );
}

interface DialogButtonProps
  extends
    Pick<DialogProps, "title" | "keepsWords">,
    Omit<ComponentProps<typeof Button>, "title" | "children"> {
  icon?: IconType;
  /** The text of the button. */
  label: ReactNode;
  /** Renders the content of the dialog. */
  children: (close: () => void) => ReactNode;
}

export function DialogButton(props: DialogButtonProps) {
  const { title, keepsWords = false, icon: Icon, label, children, ...button } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button {...button} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {Icon && <Icon aria-hidden className="size-4" />}
        {label}
      </Button>
      <Dialog {...{ title, keepsWords, isOpen }} onClose={close}>
        {children(close)}
      </Dialog>
    </>
  );
}

/** A ref for the element that gets the focus when the dialog opens or the element mounts. */
export function initialFocus(element: HTMLElement | null) {
  // React does not render this attribute; the dialog looks for it when it opens.
  element?.setAttribute("autofocus", "");
  element?.focus();
}

/**
 * Intercepts back and forward where the browser allows it, which needs an interaction since the last time.
 * @param isHeld whether to intercept
 * @param onHeld gets the key of the target entry, for `navigation.traverseTo`
 * @returns a function that stops it
 */
export function interceptHistory(
  isHeld: () => boolean,
  onHeld: (key: string) => void,
): () => void {
  if (!("navigation" in window)) return () => {};
  const { navigation } = window;
  const hold = (event: NavigateEvent) => {
    if (event.navigationType !== "traverse" || !event.cancelable || !isHeld()) return;
    event.preventDefault();
    onHeld(event.destination.key);
  };
  navigation.addEventListener("navigate", hold);
  return () => navigation.removeEventListener("navigate", hold);
}
