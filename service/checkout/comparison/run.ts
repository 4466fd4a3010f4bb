import { transaction } from "../../db/database.ts";
import {
  ProviderFault,
  type ListedPayment,
  type PaymentListPage,
  type PaymentListQuery,
} from "../../providers/provider.ts";
import { selectAccount } from "../account-store.ts";
import { askAbout } from "../charges/ask.ts";
import { callProvider } from "../charges/call.ts";
import { selectCharge, wakePayments } from "../charges/store.ts";
import {
  openAccount,
  providerIo,
  type OpenProvider,
  type PaymentContext,
} from "../provider.ts";
import type { Comparison } from "./compare.ts";
import { compareEntries, countsOf, recordComparison, type Time } from "./record.ts";
import {
  comparedUntil,
  countAsked,
  endComparing,
  hurryRefunds,
  insertRun,
  selectDoubtful,
} from "./store.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Milliseconds a provider has for a page. */
const PAGE_TIMEOUT = 20_000;
const MOST_PAGES = 400;
/** Payments that are asked about in one comparison, and how many at a time. */
const MOST_ASKED = 1_000;
const AT_A_TIME = 4;
/** Days after which an approved charge is asked about again, as disputes can come later. */
const ASKED_AFTER = [1, 7, 30];
const DISPUTED_AFTER = [60, 90, 120];
/** Days that a comparison goes back at least and at most. */
const [LEAST_DAYS, MOST_DAYS] = [3, 31];
/**
 * If more payments are unknown, another shop uses the same account, and they are no lost payments.
 */
const MOST_UNKNOWN = 100;

const UNREADABLE = "The settings cannot be read. Enter them again.";
const TOO_LONG = "The provider's list is too long to be compared in one go.";
const TOO_SLOW = "The comparison took too long, and was ended before it was complete.";

interface Run {
  account_id: number;
  is_asked: boolean;
  /** Aborted with `closing`, or when the time is up. */
  signal: AbortSignal;
  /**
   * Aborted when this process closes: nothing is recorded, and another process takes the account
   * over.
   */
  closing: AbortSignal;
}

/**
 * Compares an account with its provider: asks about uncertain charges, and reads the provider's
 * list if it has one. If the provider does not answer, that is noted, and it is asked again in an
 * hour.
 */
export async function compareAccount(
  payments: PaymentContext,
  { account_id, is_asked, signal, closing }: Run,
): Promise<void> {
  const { pool, now } = payments;
  const account = await selectAccount(pool, account_id);
  if (!account) return;
  const opened = openAccount(payments, account);
  const asked = opened ? await askDoubtful(payments, opened, { account_id, signal }) : 0;
  const to = now();
  const covers = { from: await coverFrom(payments, account_id, to), to };
  const read = opened ? await readList(payments, { opened, covers, signal }) : UNREADABLE;
  const listed = typeof read === "string" ? null : read;
  const asks = { payments, account_id, covers, signal };
  const comparison = await compareAsking(asks, listed);
  const unknown = countUnknown(comparison);
  const isTooMuch = unknown > MOST_UNKNOWN;
  const problem = typeof read === "string" ? read : isTooMuch ? tooMany(unknown) : null;
  if (closing.aborted) return;
  await transaction(pool, async (database) => {
    await recordComparison(database, comparison, {
      account,
      now: now(),
      takesUnknown: !isTooMuch,
    });
    await insertRun(database, {
      ...countsOf(comparison),
      seller_id: account.seller_id,
      account_id,
      source: is_asked ? "asked" : "daily",
      compared_at: now(),
      covers_to: listed && covers.to,
      asked,
      problem,
    });
    await hurryRefunds(database, account_id, now());
    const isComplete = problem === null || isTooMuch;
    await endComparing(
      database,
      account_id,
      new Date(now().getTime() + (isComplete ? DAY : HOUR)),
    );
    await wakePayments(database);
  });
}

const countUnknown = ({ findings }: Comparison) =>
  findings.filter(({ outcome, charge }) => outcome === "statement_only" && charge === null)
    .length;

const tooMany = (count: number) =>
  `${count} payments at the provider are unknown here, too many for tasks. If this account takes payments elsewhere too, say so in its settings.`;

async function askDoubtful(
  payments: PaymentContext,
  { adapter }: OpenProvider,
  { account_id, signal }: { account_id: number; signal: AbortSignal },
): Promise<number> {
  const { pool, now } = payments;
  const since = now();
  const charges = await selectDoubtful(pool, account_id, {
    now: since,
    days: adapter.method === "card" ? [...ASKED_AFTER, ...DISPUTED_AFTER] : ASKED_AFTER,
    limit: MOST_ASKED,
  });
  await askEach(payments, charges, signal);
  return countAsked(pool, account_id, charges, since);
}

async function askEach(payments: PaymentContext, chargeIds: string[], signal: AbortSignal) {
  const queue = [...chargeIds];
  const take = async () => {
    for (let id = queue.shift(); id && !signal.aborted; id = queue.shift()) {
      const charge = await selectCharge(payments.pool, id);
      if (charge)
        await askAbout(payments, charge).catch((error: unknown) => {
          // After some faults in a row, calls for the account are paused, so the next questions are
          // not sent.
          if (!(error instanceof ProviderFault)) throw error;
        });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, take));
}

async function coverFrom(
  { pool }: PaymentContext,
  account_id: number,
  to: Date,
): Promise<Date> {
  const until = await comparedUntil(pool, account_id);
  const least = to.getTime() - LEAST_DAYS * DAY;
  const since = until === null ? least : until.getTime() - DAY;
  return new Date(Math.max(Math.min(since, least), to.getTime() - MOST_DAYS * DAY));
}

interface Reading {
  opened: OpenProvider;
  covers: Time;
  signal: AbortSignal;
}

/** @returns the payments; null if the provider has no list; a sentence if it was not read */
async function readList(
  payments: PaymentContext,
  { opened, covers, signal }: Reading,
): Promise<ListedPayment[] | null | string> {
  const { adapter } = opened;
  const list = adapter.list?.bind(adapter);
  if (!list) return null;
  const found: ListedPayment[] = [];
  let page: string | null = null;
  try {
    for (let count = 0; count < MOST_PAGES && !signal.aborted; count += 1) {
      const query: PaymentListQuery = { ...covers, page };
      const read: PaymentListPage = await callProvider(payments, opened, (settings) =>
        list(query, settings, {
          ...providerIo(payments, PAGE_TIMEOUT),
          signal: AbortSignal.any([signal, AbortSignal.timeout(PAGE_TIMEOUT)]),
        }),
      );
      // An unknown payment of another time is left to the comparison of that time.
      found.push(...read.payments.filter(({ at }) => at === null || at >= covers.from));
      if (read.next === null) return found;
      page = read.next;
    }
    return signal.aborted ? TOO_SLOW : TOO_LONG;
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    return signal.aborted ? TOO_SLOW : error.message;
  }
}

interface Asking {
  payments: PaymentContext;
  account_id: number;
  covers: Time;
  signal: AbortSignal;
}

/** Compares the list, asks about the charges that are doubtful by it, and compares again. */
async function compareAsking(
  { payments, account_id, covers, signal }: Asking,
  listed: ListedPayment[] | null,
): Promise<Comparison> {
  const { pool } = payments;
  const entries = (listed ?? []).map((payment, place) => ({ ...payment, place }));
  const compareNow = () => compareEntries(pool, account_id, entries, listed && covers);
  const first = await compareNow();
  if (first.doubtful.length === 0) return first;
  await askEach(
    payments,
    first.doubtful.map(({ charge_id }) => charge_id),
    signal,
  );
  return compareNow();
}
