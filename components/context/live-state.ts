import { useSyncExternalStore } from "react";

/** How a page hears of what happens: at once, again in a moment, or by looking every now and then. */
export type ConnectionState = "off" | "live" | "reconnecting" | "polling";

/** Rows that came or moved meanwhile, and wait until somebody wants them. */
export interface Held {
  /** Rows that are not shown yet. */
  count: number;
  show: () => void;
}

export interface LiveState {
  link: ConnectionState;
  /** Records that changed while they were looked at; each leaves by itself. */
  changed: ReadonlySet<string>;
  /** By the hash of a list's query. */
  held: ReadonlyMap<string, Held>;
}

const NOTHING: LiveState = { link: "off", changed: new Set(), held: new Map() };
/** As long as a glance away. */
const MARK_MS = 8_000;

let state = NOTHING;
const listeners = new Set<() => void>();

export function setLive(next: Partial<LiveState>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

/** For another seller or mode. */
export const clearLive = (): void => setLive(NOTHING);

export function markChanged(ids: readonly string[]): void {
  if (ids.length === 0) return;
  setLive({ changed: new Set([...state.changed, ...ids]) });
  setTimeout(() => {
    const left = new Set([...state.changed].filter((id) => !ids.includes(id)));
    setLive({ changed: left });
  }, MARK_MS);
}

export function hold(hash: string, held: Held | null): void {
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

export const useConnectionState = (): ConnectionState => useLive(({ link }) => link);
export const useChanged = (id: string): boolean => useLive(({ changed }) => changed.has(id));
export const useHeld = (hash: string): Held | undefined =>
  useLive(({ held }) => held.get(hash));
