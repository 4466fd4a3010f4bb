/**
 * Holds the browser's back and forward within the desk, where the browser can: it can once somebody has
 * pressed or typed something since the last time that they were held.
 * @param isHeld asked at each of them
 * @param onHeld gets the key of where it would have led, for `navigation.traverseTo`
 * @returns how to let them go again
 */
export function holdBack(isHeld: () => boolean, onHeld: (key: string) => void): () => void {
  if (!("navigation" in window)) return () => {};
  const { navigation } = window;
  const hold = (event: NavigateEvent) => {
    if (event.navigationType !== "traverse" || !event.cancelable || !isHeld()) return;
    event.preventDefault();
    onHeld(event.destination.key);
  };
  navigation.addEventListener("navigate", hold);
  return () => navigation.removeEventListener("navigate", hold);
}
