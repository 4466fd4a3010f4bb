import { firstRow, focusRow } from "./row-navigation.ts";

const NO_TEXT = /^(button|checkbox|color|file|image|radio|range|reset|submit)$/;

/** Whether what is pressed belongs to a field. */
export function isTyping({ target }: Pick<Event, "target">): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NO_TEXT.test(target.type);
  return target.isContentEditable || target.matches("textarea, select, [role=combobox]");
}

// A message at the foot calls itself a dialog that is not modal.
const COVERS =
  "[role=dialog]:not([aria-modal=false]), [role=alertdialog]:not([aria-modal=false]), [role=menu], dialog[open]";

/** Whether something is open above the page, to which all keys belong. */
export const isOverlayOpen = () => document.querySelector(COVERS) !== null;

/** Whether words about a button stand there, which Escape puts away. */
export const isTooltipOpen = () => document.querySelector("[role=tooltip]") !== null;

function lastVisible(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(`main :is(${selector})`)]
    .filter((element) => element.checkVisibility())
    .at(-1);
}

/** @returns false where the page has no search of its own */
export function focusSearch(): boolean {
  const field = lastVisible("input[type=search]");
  field?.focus();
  return field !== undefined;
}

/** Presses what the page says that a key is for. */
export function clickShortcutTarget(key: string): boolean {
  const button = lastVisible(`[aria-keyshortcuts="${key}"]:not(:disabled)`);
  button?.click();
  return button !== undefined;
}

/** Out of an empty search to what it found, else what the page says Escape does: clears, or leads up. */
export function goBack(): boolean {
  const { activeElement } = document;
  if (activeElement instanceof HTMLInputElement && activeElement.type === "search") {
    const row = firstRow();
    // A search that has words is emptied by the browser.
    if (activeElement.value === "" && row) focusRow(row);
    return false;
  }
  if (activeElement && isTyping({ target: activeElement })) return false;
  const way = lastVisible("[aria-keyshortcuts=Escape]");
  way?.click();
  return way !== undefined;
}
