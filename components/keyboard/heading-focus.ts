import { isOverlayOpen } from "./page-controls.ts";

const heading = () =>
  [...document.querySelectorAll<HTMLElement>("main h1")].find((one) => one.checkVisibility());

/** Whether the focus is not inside the page: on the body, the heading or the navigation. */
export function isFocusFree(): boolean {
  const { activeElement } = document;
  if (!activeElement || activeElement === document.body) return true;
  if (activeElement === heading()) return true;
  return !activeElement.closest("main > *") && !isOverlayOpen();
}

/** Reading and tabbing then continue from the page's start. */
export function focusHeading(): boolean {
  const target = heading();
  target?.setAttribute("tabindex", "-1");
  target?.focus({ preventScroll: true });
  return target !== undefined;
}
