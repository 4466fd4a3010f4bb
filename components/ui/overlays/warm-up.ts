import { useEffect } from "react";

type Load = () => Promise<unknown>;

const SIGNS = ["pointermove", "pointerdown", "touchstart", "keydown", "focusin"] as const;

const waiting = new Set<Load>();
let isSomebodyThere = false;
let isFetching = false;

/**
 * Fetches code that only a press needs at the first sign that somebody uses the page: it does not
 * delay the page, and is there before the press. One after the other when the browser is at rest, so
 * that the first press is answered before them. What cannot be fetched is asked for again by the press.
 */
export function useWarmUp(load: Load): void {
  useEffect(() => {
    waiting.add(load);
    if (isSomebodyThere) fetchNext();
    else for (const sign of SIGNS) window.addEventListener(sign, wake, { passive: true });
    return () => void waiting.delete(load);
  }, [load]);
}

function wake() {
  isSomebodyThere = true;
  for (const sign of SIGNS) window.removeEventListener(sign, wake);
  fetchNext();
}

function fetchNext() {
  if (isFetching || waiting.size === 0) return;
  isFetching = true;
  whenAtRest(() => void fetchOne());
}

async function fetchOne() {
  const [load] = waiting;
  if (load) {
    waiting.delete(load);
    await load().catch(() => null);
  }
  isFetching = false;
  fetchNext();
}

/** Safari has no other way to wait for it. */
function whenAtRest(run: () => void) {
  if ("requestIdleCallback" in window) window.requestIdleCallback(run, { timeout: 500 });
  else setTimeout(run, 50);
}
