const LONGEST_MS = 10_000;
/** Events that show that the user has moved on. */
const ACTS = ["keydown", "pointerdown", "wheel"] as const;

/**
 * Calls `attempt` after every change of the page, until it succeeds or the user does something else.
 * @returns stops it
 */
export function retryOnPageChange(attempt: () => boolean): () => void {
  if (attempt()) return () => {};
  const observer = new MutationObserver(() => attempt() && stop());
  function stop() {
    observer.disconnect();
    clearTimeout(timer);
    for (const act of ACTS) window.removeEventListener(act, stop, { capture: true });
  }
  const timer = setTimeout(stop, LONGEST_MS);
  observer.observe(document.body, { childList: true, subtree: true });
  for (const act of ACTS) window.addEventListener(act, stop, { capture: true, passive: true });
  return stop;
}
