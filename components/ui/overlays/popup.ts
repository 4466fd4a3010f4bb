import { type MouseEvent as ReactMouseEvent, useEffect, useState } from "react";

type Load = () => Promise<unknown>;

// Not `pointerover`: it also comes when a control appears under a mouse that does not move.
const SIGNS = ["pointermove", "pointerdown", "keydown", "focusin"] as const;
const CONTROLS = "button, input, select, summary, [aria-haspopup]";

const waiting = new Set<Load>();
let isWanted = false;
let isFetching = false;

/**
 * Preloads lazy code when the user first reaches for a control or presses a key, so that it is ready before
 * a click, and a user who only follows links never fetches it. Modules load one by one while the browser is
 * idle. A failed preload is tried again by the click.
 */
export function usePreload(load: Load): void {
  useEffect(() => {
    waiting.add(load);
    if (isWanted) fetchNext();
    else for (const sign of SIGNS) window.addEventListener(sign, wake, { passive: true });
    return () => void waiting.delete(load);
  }, [load]);
}

function wake({ type, target }: Event) {
  if (!(target instanceof Element) || target.closest("a")) return;
  if (type !== "keydown" && !target.closest(CONTROLS)) return;
  isWanted = true;
  for (const sign of SIGNS) window.removeEventListener(sign, wake);
  fetchNext();
}

function fetchNext() {
  if (isFetching || waiting.size === 0) return;
  isFetching = true;
  whenAtRest(() => void fetchOne());
}

async function fetchOne() {
  const [load] = waiting;
  if (load) {
    waiting.delete(load);
    await load().catch(() => null);
  }
  isFetching = false;
  fetchNext();
}

/** Runs a function when the browser is idle; Safari has no requestIdleCallback. */
function whenAtRest(run: () => void) {
  if ("requestIdleCallback" in window) window.requestIdleCallback(run, { timeout: 500 });
  else setTimeout(run, 50);
}

/** Whether the event is a press on this element or the focus that follows. Its click then closes the popup. */
export function isPressInside(element: HTMLElement | null, event: Event): boolean {
  if (event instanceof KeyboardEvent) return false;
  const target = event instanceof FocusEvent ? event.relatedTarget : event.target;
  return target instanceof Node && element !== null && element.contains(target);
}

/** Whether this click on a link opens it in this tab. */
export const isPlainClick = (event: MouseEvent | ReactMouseEvent): boolean =>
  !(event.defaultPrevented || event.button !== 0) &&
  !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);

/** The element focused before the dialog opened, for Base UI's `finalFocus`. */
export function useFinalFocus(): () => HTMLElement | true {
  // Read before the dialog takes the focus.
  const [opener] = useState(() => document.activeElement);
  return () => (canTakeFocus(opener) ? opener : true);
}

const canTakeFocus = (element: Element | null): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element !== document.body;
