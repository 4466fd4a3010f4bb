import { firstRow, focusRow } from "./row-navigation.ts";

const NO_TEXT = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/;

/** Whether the key press goes to a text field. */
export function isTyping({ target }: Pick<Event, "target">): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NO_TEXT.test(target.type);
  return target.isContentEditable || target.matches("textarea, select, [role=combobox]");
}

// A toast has the role of a non-modal dialog.
const COVERS =
  "[role=dialog]:not([aria-modal=false]), [role=alertdialog]:not([aria-modal=false]), [role=menu], dialog[open]";

/** Whether a dialog or menu is open, which then receives all keys. */
export const isOverlayOpen = () => document.querySelector(COVERS) !== null;

/** Whether a tooltip is open, which Escape closes. */
export const isTooltipOpen = () => document.querySelector("[role=tooltip]") !== null;

function lastVisible(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(`main :is(${selector})`)]
    .filter((element) => element.checkVisibility())
    .at(-1);
}

/** @returns false if the page has no search field */
export function focusSearch(): boolean {
  const field = lastVisible("input[type=search]");
  field?.focus();
  return field !== undefined;
}

/** Clicks the control that declares this key in `aria-keyshortcuts`. @returns false if there is none */
export function clickShortcutTarget(key: string): boolean {
  const button = lastVisible(`[aria-keyshortcuts="${key}"]:not(:disabled)`);
  button?.click();
  return button !== undefined;
}

/** From an empty search field to the first row; otherwise clicks the control that declares Escape. */
export function goBack(): boolean {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement && activeElement.type === "search") {
    const row = firstRow();
    // The browser itself clears a search field that has text.
    if (activeElement.value === "" && row) focusRow(row);
    return false;
  }
  if (activeElement && isTyping({ target: activeElement })) return false;
  const way = lastVisible("[aria-keyshortcuts=Escape]");
  way?.click();
  return way !== undefined;
}
