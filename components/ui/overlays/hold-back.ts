/**
 * Intercepts back and forward where the browser allows it, which needs an interaction since the last time.
 * @param isHeld whether to intercept
 * @param onHeld gets the key of the target entry, for `navigation.traverseTo`
 * @returns a function that stops it
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
