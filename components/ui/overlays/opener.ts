import { useState } from "react";

/** Whether the event is a press on this element or the focus that follows. Its click then closes the popup. */
export function isPressOn(element: HTMLElement | null, event: Event): boolean {
  if (event instanceof KeyboardEvent) return false;
  const target = event instanceof FocusEvent ? event.relatedTarget : event.target;
  return target instanceof Node && element !== null && element.contains(target);
}

/** The element focused before the dialog opened, for Base UI's `finalFocus`. */
export function useOpener(): () => HTMLElement | true {
  // Read before the dialog takes the focus.
  const [opener] = useState(() => document.activeElement);
  return () => (canTakeFocus(opener) ? opener : true);
}

const canTakeFocus = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element !== document.body;
