import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import { createFairQueue } from "#lib/fair-queue.ts";
import { readCheckouts, readCollected, readLeaving, readMovement } from "./events-store.ts";
import { readExpected, readOwed } from "./expected-store.ts";
import {
  readReportFrame,
  type ReportParameters,
  type ReportFrame,
} from "./report-statement.ts";
import type { ReportAnswer, ReportByName } from "./queries.ts";
import { readProductsReport, readRetention } from "./retention-store.ts";
import type { ReportName } from "./search.ts";
import { readRevenue, readSubscribers } from "./subscribers-store.ts";

type Readers = {
  [Name in ReportName]: (db: Database, frame: ReportFrame) => Promise<ReportByName[Name]>;
};

const READERS: Readers = {
  revenue: readRevenue,
  subscribers: readSubscribers,
  movement: readMovement,
  leaving: readLeaving,
  checkouts: readCheckouts,
  owed: readOwed,
  expected: readExpected,
  collected: readCollected,
  products: readProductsReport,
  retention: readRetention,
};

/** Limits concurrent reports: a page requests all at once, and each needs a database connection. */
const inTurn = createFairQueue({ atOnce: 3, ofOneSeller: 2, mostWaiting: 90 });

/** One report of one seller and mode, or why the index cannot answer. */
export const readReportOf = <Name extends ReportName>(
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
  name: Name,
  question: ReportParameters,
): Promise<ReportAnswer<Name>> =>
  inTurn(owner.seller_id, () =>
    inTransaction(pool, async (client) => {
      await client.query("set transaction isolation level repeatable read read only");
      // Sorts tens of thousands of rows in memory.
      await client.query("set local work_mem = '32MB'");
      const read = await readReportFrame(client, owner, question);
      if ("state" in read) return read;
      const { copy, frame } = read;
      const { period, before, known_since } = frame;
      const is_partial = frame.is_partial && !(name === "collected" && frame.hasAllPayments);
      const figure = await READERS[name](client, frame);
      return { ...copy, period, before, known_since, is_partial, figure };
    }),
  );
