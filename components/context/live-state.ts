import { useSyncExternalStore } from "react";

/**
 * How a page gets updates: not yet, by the stream, or by polling, while the stream reconnects or after
 * it failed.
 */
export type LiveConnectionState = "off" | "live" | "reconnecting" | "polling";

/** Updates that are held back until the reader asks for them. */
export interface PendingUpdates {
  /** The number of new rows. */
  count: number;
  show: () => void;
}

interface LiveState {
  link: LiveConnectionState;
  /** Ids of changed records, which are highlighted for some seconds. */
  changed: ReadonlySet<string>;
  /** The pending updates by query hash. */
  held: ReadonlyMap<string, PendingUpdates>;
}

const NOTHING: LiveState = { link: "off", changed: new Set(), held: new Map() };
const MARK_MS = 8_000;

let state = NOTHING;
const listeners = new Set<() => void>();

export function setLive(next: Partial<LiveState>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

/** Resets the state for another seller or mode. */
export const clearLive = (): void => setLive(NOTHING);

export function markRecordsChanged(ids: readonly string[]): void {
  if (ids.length === 0) return;
  setLive({ changed: new Set([...state.changed, ...ids]) });
  setTimeout(() => {
    const left = new Set([...state.changed].filter((id) => !ids.includes(id)));
    setLive({ changed: left });
  }, MARK_MS);
}

export function setPendingUpdates(hash: string, held: PendingUpdates | null): void {
  if (!held && !state.held.has(hash)) return;
  const next = new Map(state.held);
  if (held) next.set(hash, held);
  else next.delete(hash);
  setLive({ held: next });
}

function listen(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const useLive = <Part>(read: (of: LiveState) => Part): Part =>
  useSyncExternalStore(
    listen,
    () => read(state),
    () => read(NOTHING),
  );

export const useConnectionState = (): LiveConnectionState => useLive(({ link }) => link);
export const useRecentlyChanged = (id: string): boolean =>
  useLive(({ changed }) => changed.has(id));
export const usePendingUpdates = (hash: string): PendingUpdates | undefined =>
  useLive(({ held }) => held.get(hash));
