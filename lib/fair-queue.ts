import { AppError } from "#lib/failure.ts";

interface Line {
  underWay: number;
  waiting: (() => void)[];
}

interface Turns {
  /** Concurrent runs of all sellers in this process. */
  atOnce: number;
  ofOneSeller: number;
  /** Waiting runs of one seller; further ones are refused. */
  mostWaiting: number;
}

/** Limits concurrent expensive reads, and takes sellers in turn (ADR 0032). */
export function createFairQueue({ atOnce, ofOneSeller, mostWaiting }: Turns) {
  const lines = new Map<string, Line>();
  let underWay = 0;

  const beginNext = () => {
    for (const [seller_id, line] of lines) {
      if (underWay >= atOnce) return;
      if (line.underWay >= ofOneSeller || line.waiting.length === 0) continue;
      // Puts this seller last, so that the others come first.
      lines.delete(seller_id);
      lines.set(seller_id, line);
      underWay += 1;
      line.underWay += 1;
      line.waiting.shift()?.();
    }
  };

  /** @throws AppError `rate_limited` */
  return async function inTurn<Value>(seller_id: string, run: () => Promise<Value>) {
    const line = lines.get(seller_id) ?? { underWay: 0, waiting: [] };
    const begins = underWay < atOnce && line.underWay < ofOneSeller;
    if (!begins && line.waiting.length >= mostWaiting)
      throw new AppError({ kind: "rate_limited", retry_after: 5 });
    lines.set(seller_id, line);
    await new Promise<void>((begin) => {
      line.waiting.push(begin);
      beginNext();
    });
    try {
      return await run();
    } finally {
      underWay -= 1;
      line.underWay -= 1;
      if (line.underWay === 0 && line.waiting.length === 0) lines.delete(seller_id);
      beginNext();
    }
  };
}

/** A queue for counts of whole lists, which must leave database connections to other pages. */
export const runInCountQueue = createFairQueue({ atOnce: 3, ofOneSeller: 1, mostWaiting: 20 });
