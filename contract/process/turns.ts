interface Limits {
  atOnce: number;
  /** Work that waits; further work is refused. Default any. */
  mostWaiting?: number;
  /** The error that is thrown then. */
  refusal?: () => Error;
}

/** Limits how much of some expensive work runs at once; the rest waits, the first first. */
export function createTurns({
  atOnce,
  mostWaiting = Infinity,
  refusal = () => new Error("too much waits"),
}: Limits) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Done>(work: () => Promise<Done>): Promise<Done> => {
    if (running < atOnce) running += 1;
    else if (waiting.length < mostWaiting)
      await new Promise<void>((begin) => waiting.push(begin));
    else throw refusal();
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
