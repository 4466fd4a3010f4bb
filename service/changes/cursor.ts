import * as z from "zod";

/**
 * A snapshot as PostgreSQL writes it, "xmin:xmax:running,…", and its time in milliseconds since
 * 1970.
 */
type Snapshot = z.output<typeof Snapshot>;
const Snapshot = z.tuple([
  z.string().regex(/^\d{1,19}:\d{1,19}:(\d{1,19}(,\d{1,19})*)?$/),
  z.int(),
]);

/**
 * A position in the feed: all that the snapshot `since` saw has been listed. While further pages
 * follow, `until` is the snapshot up to which they list, and `after` the last listed row.
 */
export interface Cursor {
  sellerId: number;
  origin: string;
  /** The number of times that the account's data was replaced. */
  replacements: number;
  since: Snapshot;
  until: Snapshot | null;
  after: [transaction: string, sequence: number] | null;
}

const Parts = z.tuple([
  z.int(),
  z.string(),
  z.int(),
  Snapshot,
  Snapshot.nullable(),
  z.tuple([z.string().regex(/^\d{1,19}$/), z.int().nonnegative()]).nullable(),
]);

export const writeCursor = (cursor: Cursor): string =>
  Buffer.from(
    JSON.stringify([
      cursor.sellerId,
      cursor.origin,
      cursor.replacements,
      cursor.since,
      cursor.until,
      cursor.after,
    ] satisfies z.output<typeof Parts>),
  ).toString("base64url");

/** Whether PostgreSQL can have written the snapshot: its transactions are in order. */
export function isPossibleSnapshot(text: string): boolean {
  const [first = "", next = "", running = ""] = text.split(":");
  const all = running === "" ? [] : running.split(",");
  const [xmin, xmax, ...ids] = [first, next, ...all].map(BigInt) as [
    bigint,
    bigint,
    ...bigint[],
  ];
  return (
    xmin > 0n &&
    xmin <= xmax &&
    xmax < 2n ** 63n &&
    ids.every((id, place) => id >= (ids[place - 1] ?? xmin) && id < xmax)
  );
}

/** Null for a text that is no cursor. */
export function readCursor(text: string): Cursor | null {
  try {
    const [sellerId, origin, replacements, since, until, after] = Parts.parse(
      JSON.parse(Buffer.from(text, "base64url").toString()),
    );
    return { sellerId, origin, replacements, since, until, after };
  } catch {
    return null;
  }
}
