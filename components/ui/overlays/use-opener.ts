import { useState } from "react";

/** The element focused before the dialog opened, for Base UI's `finalFocus`. */
export function useOpener(): () => HTMLElement | true {
  // Read before the dialog takes the focus.
  const [opener] = useState(() => document.activeElement);
  return () => (canTakeFocus(opener) ? opener : true);
}

const canTakeFocus = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element !== document.body;
