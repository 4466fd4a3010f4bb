"use client";

import { useTranslations } from "next-intl";
import { useSyncExternalStore } from "react";
import { Button } from "#components/ui/button.tsx";
import { Search } from "#components/ui/icons.tsx";

/** Opens the palette without its shortcut; only an icon on narrow screens. */
export function PaletteButton() {
  const t = useTranslations("keyboard");
  return (
    <Button
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => openCommandWindow("palette")}
      className="shrink-0 justify-start font-normal text-muted max-md:w-11 max-md:justify-center max-md:border-0 max-md:bg-transparent max-md:px-0 max-md:shadow-none lg:w-56"
    >
      <Search aria-hidden className="size-4 shrink-0 max-md:size-5" />
      <span className="max-lg:sr-only">{t("open")}</span>
    </Button>
  );
}

/** A window that opens above any page. */
export type CommandWindow = "palette" | "keys";

let opened: CommandWindow | null = null;
const listeners = new Set<() => void>();

/** Opens a window. @param next null closes the open one */
export function openCommandWindow(next: CommandWindow | null): void {
  opened = next;
  for (const listener of listeners) listener();
}

export function useCommandWindow(): CommandWindow | null {
  return useSyncExternalStore(
    listen,
    () => opened,
    () => null,
  );
}

function listen(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
