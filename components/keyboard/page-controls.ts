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

/**
 * Moves the focus from an empty search field to the first row; else clicks the control that
 * declares Escape.
 */
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

const isShown = (element: HTMLElement) => element.checkVisibility();

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("main [data-row]")].filter(isShown);
}

const firstRow = (): HTMLElement | undefined => rows()[0];

export const findRow = (id: string): HTMLElement | undefined =>
  rows().find((row) => row.dataset["row"] === id);

const rowOf = (element: Element | null) => element?.closest<HTMLElement>("[data-row]") ?? null;

/** The id of the row that had the focus last, to return to it. */
let last: string | null = null;

/** Focuses the row's link, so that Enter opens it and a screen reader names the row. */
export function focusRow(row: HTMLElement): void {
  const link =
    row.querySelector<HTMLElement>("[data-row-link]") ??
    row.querySelector<HTMLElement>("a[href], button:enabled");
  last = row.dataset["row"] ?? null;
  link?.focus();
}

/**
 * Moves the focus by a row; without a focused row, to the last focused one or the first.
 * @param step 1 down, -1 up
 */
export function moveRow(step: 1 | -1): boolean {
  const all = rows();
  const at = all.indexOf(rowOf(document.activeElement) ?? document.body);
  const before = all.find((row) => row.dataset["row"] === last) ?? all[0];
  const next = at === -1 ? before : all[Math.min(Math.max(at + step, 0), all.length - 1)];
  if (next) focusRow(next);
  return next !== undefined;
}

/** Selects the focused row. @param isRange selects all rows since the previously selected one */
export function selectRow(isRange = false): boolean {
  // A synthetic click would also toggle a disabled checkbox.
  const box = rowOf(document.activeElement)?.querySelector<HTMLElement>(
    "[type=checkbox]:enabled",
  );
  box?.dispatchEvent(
    new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey: isRange }),
  );
  return Boolean(box);
}

/** Opens the previous or next page and focuses its first row once loaded. */
export function turnPage(rel: "prev" | "next"): boolean {
  const link = [...document.querySelectorAll<HTMLElement>(`main a[rel=${rel}]`)].find(isShown);
  if (!link) return false;
  const before = firstRow()?.dataset["row"];
  link.click();
  retryOnPageChange(() => {
    const row = firstRow();
    if (!row || row.dataset["row"] === before) return false;
    focusRow(row);
    return true;
  });
  return true;
}

const LONGEST_MS = 10_000;
/** Events which show that the user does something else. */
const ACTS = ["keydown", "pointerdown", "wheel"] as const;

/**
 * Calls `attempt` at once and after every change of the page, until it succeeds, the user does something
 * else or 10 seconds have passed.
 * @returns a function that stops it
 */
export function retryOnPageChange(attempt: () => boolean): () => void {
  if (attempt()) return () => {};
  const observer = new MutationObserver(() => attempt() && stop());
  function stop() {
    observer.disconnect();
    clearTimeout(timer);
    for (const act of ACTS) window.removeEventListener(act, stop, { capture: true });
  }
  const timer = setTimeout(stop, LONGEST_MS);
  observer.observe(document.body, { childList: true, subtree: true });
  for (const act of ACTS) window.addEventListener(act, stop, { capture: true, passive: true });
  return stop;
}
