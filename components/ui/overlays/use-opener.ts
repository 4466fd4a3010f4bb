import { useState } from "react";

/** What had the focus when the dialog was asked for, for Base UI's `finalFocus`: called when it closes. */
export function useOpener(): () => HTMLElement | true {
  // Before anything in the dialog can take the focus.
  const [opener] = useState(() => document.activeElement);
  return () => (canTakeFocus(opener) ? opener : true);
}

const canTakeFocus = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element !== document.body;
