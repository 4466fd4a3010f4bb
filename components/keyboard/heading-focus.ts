import { isOverlayOpen } from "./page-controls.ts";

const heading = () =>
  [...document.querySelectorAll<HTMLElement>("main h1")].find((one) => one.checkVisibility());

/** Whether nobody put the focus into the page yet: it is lost, or at what stands around every page. */
export function isFocusFree(): boolean {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) return true;
  if (activeElement === heading()) return true;
  return !activeElement.closest("main > *") && !isOverlayOpen();
}

/** So that reading and tabbing go on from the page's beginning. */
export function focusHeading(): boolean {
  const target = heading();
  target?.setAttribute("tabindex", "-1");
  target?.focus({ preventScroll: true });
  return target !== undefined;
}
