import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { saveListPosition, readListPosition } from "#components/list/list-position.ts";
import { focusHeading, isFocusFree } from "./heading-focus.ts";
import { findRow, focusRow } from "./row-navigation.ts";
import { retryOnPageChange } from "./retry-on-page-change.ts";

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
  if (row !== undefined) saveListPosition(pathname, { search, row });
}
