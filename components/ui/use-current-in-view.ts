import { useEffect, useRef } from "react";

/**
 * Scrolls the current tab into view in tabs wider than the screen.
 * @param current the current tab's name
 */
export function useCurrentInView(current: string | undefined) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const tab = nav.current?.querySelector<HTMLElement>("[aria-current=page]");
    if (!nav.current || !tab) return;
    nav.current.scrollLeft = tab.offsetLeft - (nav.current.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  return nav;
}
