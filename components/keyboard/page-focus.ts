import { useEffect, useRef } from "react";
import { usePathname } from "next/navigation";
import { readListPosition, saveListPosition } from "#components/list/links.tsx";
import { findRow, focusRow, isOverlayOpen, retryOnPageChange } from "./page-controls.ts";

const DIALOG_MS = 100;

interface Held {
  element: HTMLElement;
  list: Element | null;
  /** The index of the row in the list. */
  at: number;
  path: string;
  search: string;
  wasDisabled: boolean;
}

/**
 * Restores the focus when the focused element was removed, or disabled while its action ran. Without
 * it the browser would start again at the top of the document.
 */
export function useFocusRecovery(): void {
  useEffect(() => {
    let held: Held | null = null;
    let latest: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const isLost = () => document.activeElement === document.body;
    function hold({ target }: FocusEvent) {
      if (!(target instanceof HTMLElement)) return;
      latest = target;
      if (target.closest("main > *")) held = holdOf(target);
    }
    const release = () => void (held = null);
    function look() {
      if (held?.element.matches(":disabled")) held.wasDisabled = true;
      else if (held && isLost() && (held.wasDisabled || !held.element.isConnected))
        restore(held);
      else if (held && isLost() && latest?.isConnected === false) {
        // A dialog that has just closed may restore the focus itself.
        clearTimeout(timer);
        timer = setTimeout(() => held && isLost() && restore(held), DIALOG_MS);
      }
    }
    const observer = new MutationObserver(look);
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributeFilter: ["disabled"],
    });
    document.addEventListener("focusin", hold);
    document.addEventListener("pointerdown", release);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      document.removeEventListener("focusin", hold);
      document.removeEventListener("pointerdown", release);
    };
  }, []);
}

/**
 * Completes a click whose control the page replaced by an equal one while the mouse button was down.
 * The browser clicks only an element that was both pressed and released.
 */
export function usePressRecovery(): void {
  useEffect(() => {
    const controlAt = ({ target }: MouseEvent) =>
      target instanceof Element ? target.closest<HTMLElement>("a[href], button") : null;
    let pressed: HTMLElement | null = null;
    const press = (event: MouseEvent) => void (pressed = controlAt(event));
    function release(event: MouseEvent) {
      const control = controlAt(event);
      if (event.button !== 0 || !control || !pressed || pressed.isConnected) return;
      const isEqual =
        control.localName === pressed.localName && nameOf(control) === nameOf(pressed);
      if (isEqual) control.dispatchEvent(new MouseEvent("click", event));
    }
    document.addEventListener("mousedown", press);
    document.addEventListener("mouseup", release);
    return () => {
      document.removeEventListener("mousedown", press);
      document.removeEventListener("mouseup", release);
    };
  }, []);
}

function holdOf(element: HTMLElement): Held {
  const list = element.closest("tbody, ul, ol, dl");
  const at = list ? [...list.children].findIndex((row) => row.contains(element)) : -1;
  const { pathname: path, search } = window.location;
  return { element, list, at, path, search, wasDisabled: false };
}

function restore({ element, list, at, path, search }: Held) {
  // After a navigation, the next page sets the focus.
  if (path !== window.location.pathname) return;
  if (element.isConnected) return element.focus();
  // Another filter shows other rows, so the index means nothing.
  if (list?.isConnected && search === window.location.search) {
    const row = list.children[Math.min(at, list.children.length - 1)];
    row?.querySelector<HTMLElement>("a[href], button:enabled")?.focus();
  }
  if (document.activeElement === document.body) focusTwin(element);
  if (document.activeElement === document.body) focusHeading();
}

function focusTwin(element: HTMLElement) {
  const twin = twinOf(element);
  // The page's search field may not be hydrated yet, so it gets the text typed in the skeleton's.
  if (isSearchLine(twin) && isSearchLine(element)) twin.value = element.value;
  twin?.focus();
}

/** Whether it is a `SearchInput`, which has no id; a filter form's field has the address's text. */
const isSearchLine = (element?: HTMLElement): element is HTMLInputElement =>
  element instanceof HTMLInputElement && element.id === "" && element.type === "search";

/** The same control in the page that replaced its skeleton. */
function twinOf(element: HTMLElement): HTMLElement | undefined {
  const name = nameOf(element);
  const twins = [...document.querySelectorAll<HTMLElement>(`main ${element.localName}`)].filter(
    (one) => nameOf(one) === name && one.checkVisibility(),
  );
  return name !== "" && twins.length === 1 ? twins[0] : undefined;
}

const nameOf = (element: HTMLElement) =>
  element.getAttribute("aria-label") ?? (element.textContent || element.id);

/**
 * After a navigation the focus goes to the new page's heading, or in a list to the row through which
 * the user left it. Next.js announces the title, but leaves the focus on the clicked link.
 */
export function useNavigationFocus(): void {
  const path = usePathname();
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    return land(path);
  }, [path]);

  useEffect(() => {
    document.addEventListener("click", noteRow, { capture: true });
    return () => document.removeEventListener("click", noteRow, { capture: true });
  }, []);
}

function land(path: string): () => void {
  const row = readListPosition(path)?.row;
  let given: Element | null = null;
  return retryOnPageChange(() => {
    if (document.activeElement !== given && !isFocusFree()) return true;
    const target = row === undefined ? undefined : findRow(row);
    if (!target) focusHeading();
    else if (!target.contains(document.activeElement)) focusRow(target);
    given = document.activeElement;
    // Keep trying: the skeleton, and the focus in it, is replaced by the page.
    return false;
  });
}

function noteRow({ target }: MouseEvent) {
  const link = target instanceof Element ? target.closest("main [data-row] a[href]") : null;
  const row = link?.closest<HTMLElement>("[data-row]")?.dataset["row"];
  const { pathname, search } = window.location;
  if (row !== undefined) saveListPosition(pathname, { search, row, top: window.scrollY });
}

const heading = () =>
  [...document.querySelectorAll<HTMLElement>("main h1")].find((one) => one.checkVisibility());

/** Whether the focus is not inside the page: on the body, the heading or the navigation. */
function isFocusFree(): boolean {
  const { activeElement, body } = document;
  if (!activeElement || activeElement === body || activeElement === heading()) return true;
  // A list that has just been hidden behind its record still has the focus.
  if (!activeElement.checkVisibility()) return true;
  return !activeElement.closest("main > *") && !isOverlayOpen();
}

/** Focuses the page's heading, so that reading and tabbing continue from the page's start. */
function focusHeading() {
  const target = heading();
  target?.setAttribute("tabindex", "-1");
  target?.focus({ preventScroll: true });
}
