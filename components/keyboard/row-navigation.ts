import { retryOnPageChange } from "./retry-on-page-change.ts";

const isShown = (element: HTMLElement) => element.checkVisibility();

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("main [data-row]")].filter(isShown);
}

export const firstRow = (): HTMLElement | undefined => rows()[0];

export const findRow = (id: string): HTMLElement | undefined =>
  rows().find((row) => row.dataset["row"] === id);

const rowOf = (element: Element | null) => element?.closest<HTMLElement>("[data-row]") ?? null;

/** Where the keys stood, for when the focus has been elsewhere. */
let last: string | null = null;

/** Its link has the focus, so that Enter opens it and a screen reader says whose row it is. */
export function focusRow(row: HTMLElement): void {
  const link =
    row.querySelector<HTMLElement>("[data-row-link]") ??
    row.querySelector<HTMLElement>("a[href], button:enabled");
  last = row.dataset["row"] ?? null;
  link?.focus();
}

/** @param step 1 down, -1 up; the first step goes to where the keys stood, else to the first row */
export function moveRow(step: 1 | -1): boolean {
  const all = rows();
  const at = all.indexOf(rowOf(document.activeElement) ?? document.body);
  const before = all.find((row) => row.dataset["row"] === last) ?? all[0];
  const next = at === -1 ? before : all[Math.min(Math.max(at + step, 0), all.length - 1)];
  if (next) focusRow(next);
  return next !== undefined;
}

/** @param isRange all rows from the one that was selected before */
export function selectRow(isRange = false): boolean {
  // A made click would tick one that is disabled, too.
  const box = rowOf(document.activeElement)?.querySelector<HTMLElement>(
    "[type=checkbox]:enabled",
  );
  box?.dispatchEvent(
    new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey: isRange }),
  );
  return Boolean(box);
}

/** The rows of the other page take the focus when they have come. */
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
