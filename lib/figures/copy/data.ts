import "server-only";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { readCheckouts, readCollected, readMovement } from "../events/data.ts";
import { readExpected, readOwed } from "../expected/data.ts";
import { readFrame, type FigureQuestion, type Frame } from "../frame/data.ts";
import type { Figured, FigureOf } from "../queries.ts";
import { readProducts, readRetention } from "../retention/data.ts";
import type { FigureName } from "../search.ts";
import { readRevenue, readSubscribers } from "../standing/data.ts";

type Readers = {
  [Name in FigureName]: (db: Database, frame: Frame) => Promise<FigureOf[Name]>;
};

const READERS: Readers = {
  revenue: readRevenue,
  subscribers: readSubscribers,
  movement: readMovement,
  checkouts: readCheckouts,
  owed: readOwed,
  expected: readExpected,
  collected: readCollected,
  products: readProducts,
  retention: readRetention,
};

/** One figure of one seller and mode, or why the copy cannot tell it. */
export async function readFigure<Name extends FigureName>(
  db: Database,
  owner: KeyOwner,
  name: Name,
  question: FigureQuestion,
): Promise<Figured<Name>> {
  const read = await readFrame(db, owner, question);
  if ("state" in read) return read;
  const { copy, frame } = read;
  const { period, before, known_since, is_partial } = frame;
  const figure = await READERS[name](db, frame);
  return { ...copy, period, before, known_since, is_partial, figure };
}
