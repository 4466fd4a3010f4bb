interface Leading {
  locks: LockManager;
  name: string;
  /** Aborted when nothing is to be led any more. */
  signal: AbortSignal;
  lead: () => void;
  leave: () => void;
}

/**
 * Leads while it holds the lock, and waits for it otherwise.
 * @returns what takes the lock from one that has gone to sleep
 */
export function electLeader({ locks, name, signal, lead, leave }: Leading): () => void {
  const hold = () => {
    // It was granted on its way here, which no signal stops.
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
      // It slept, and another tab took the stream: it is one of those that wait again.
      if (isTakenAway(error)) queue();
      // A browser that lends no locks here would refuse again at once.
      else lead();
    });
  };
  queue();
  return () => void locks.request(name, { steal: true }, hold).catch(leave);
}

const isTakenAway = (error: unknown): boolean =>
  error instanceof DOMException && error.name === "AbortError";
