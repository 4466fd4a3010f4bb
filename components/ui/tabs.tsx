"use client";

import { useEffect, useRef, type ReactNode } from "react";
import { cn } from "#lib/cn.ts";

interface TabBarProps {
  label: string;
  /** Identifies the current tab, which is scrolled into view. */
  current: string | undefined;
  className: string;
  children: ReactNode;
}

/** Links of the class `tab` in one line, which scrolls where it is wider than the screen. */
export function TabBar({ label, current, className, children }: TabBarProps) {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const tab = nav.current?.querySelector<HTMLElement>("[aria-current=page]");
    if (!nav.current || !tab) return;
    nav.current.scrollLeft = tab.offsetLeft - (nav.current.clientWidth - tab.offsetWidth) / 2;
  }, [current]);
  return (
    <nav
      ref={nav}
      aria-label={label}
      className={cn(
        "fading-ends -mx-4 [scrollbar-width:none] overflow-x-auto px-4 md:-mx-6 md:px-6 lg:-mx-8 lg:px-8",
        className,
      )}
    >
      {children}
    </nav>
  );
}

/** A tab's text that is as wide in bold (current) as in regular weight. */
export function StableWidthText({ children }: { children: string }) {
  return <span data-words={children}>{children}</span>;
}
