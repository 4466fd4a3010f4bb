interface Limits {
  atOnce: number;
  /** The most work that may wait; more is refused. No limit by default. */
  mostWaiting?: number;
  /** The error that refused work throws. */
  refusal?: () => Error;
}

/** Limits how much of some expensive work runs at once; the rest waits in order. */
export function createTurns({
  atOnce,
  mostWaiting = Infinity,
  refusal = () => new Error("too many tasks wait"),
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
