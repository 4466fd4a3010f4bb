export interface ToastMessage {
  text: string;
  /** A failure is said at once, and stays until it is put away. */
  isFailure?: boolean;
  /** Takes back what the message tells of. */
  onUndo?: () => void;
}

type Show = (message: ToastMessage) => void;

let show: Show | null = null;
let hasAny = false;
const early: ToastMessage[] = [];
const listeners = new Set<() => void>();

/** For what would leave no trace on the page; what the page itself shows needs none. */
export function showToast(message: ToastMessage): void {
  if (show) return show(message);
  early.push(message);
  hasAny = true;
  for (const listener of listeners) listener();
}

/** Whoever can show messages takes them from here, also those that came before. */
export function takeToasts(take: Show): () => void {
  show = take;
  for (const message of early.splice(0)) take(message);
  return () => {
    show = null;
  };
}

/** For useSyncExternalStore: whether there was any message yet. */
export const hasToasts = () => hasAny;

export function onFirstToast(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
