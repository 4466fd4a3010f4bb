import { useSyncExternalStore } from "react";

/** A window that opens above any page. */
export type CommandWindow = "palette" | "keys";

let opened: CommandWindow | null = null;
const listeners = new Set<() => void>();

/** @param next null closes what is open */
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
