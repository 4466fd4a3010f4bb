import { useSyncExternalStore } from "react";

/** What opens above any page: the palette, or the list of keys. */
export type DeskWindow = "palette" | "keys";

let opened: DeskWindow | null = null;
const listeners = new Set<() => void>();

/** @param next null closes what is open */
export function openDeskWindow(next: DeskWindow | null): void {
  opened = next;
  for (const listener of listeners) listener();
}

export function useDeskWindow(): DeskWindow | null {
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
