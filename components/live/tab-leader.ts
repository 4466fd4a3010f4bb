interface Leading {
  locks: LockManager;
  name: string;
  /** Aborted when this tab stops. */
  signal: AbortSignal;
  lead: () => void;
  leave: () => void;
}

/**
 * One tab leads at a time: the one that holds the lock. The others wait for it.
 * @returns takes the lock from a leader that is asleep
 */
export function electLeader({ locks, name, signal, lead, leave }: Leading): () => void {
  const hold = () => {
    // The lock may be granted after the abort.
    if (signal.aborted) return undefined;
    lead();
    return new Promise<void>((resolve) =>
      signal.addEventListener("abort", () => resolve(), { once: true }),
    );
  };
  const queue = (): void => {
    locks.request(name, { signal }, hold).catch((error: unknown) => {
      leave();
      if (signal.aborted) return;
      // Another tab took the lock while this one slept: wait again.
      if (isTakenAway(error)) queue();
      // A browser that refuses locks would refuse again: lead without a lock.
      else lead();
    });
  };
  queue();
  return () => void locks.request(name, { steal: true }, hold).catch(leave);
}

const isTakenAway = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";
