import { useSyncExternalStore } from "react";

const subscribeToNothing = () => () => {};

/** False until hydration, when clicks start to work. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
