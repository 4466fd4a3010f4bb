import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/** False until the page is at work: a click before that would be lost, so its button waits. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
