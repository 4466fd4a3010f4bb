import type { FastifyInstance } from "fastify";
import {
  ComparedStatement,
  CompareStatement,
  SavedPaymentAccount,
  type StatementEntry,
} from "#contract/payment-accounts.ts";
import type { ServiceContext } from "../../context.ts";
import type { Database } from "../../db/database.ts";
import { ApiError } from "../../http/errors.ts";
import { writeRoute } from "../../http/write.ts";
import type { PaymentAccount } from "../account-store.ts";
import { hurryCharge, wakePayments } from "../charges/store.ts";
import type { Comparison, Entry } from "./compare.ts";
import { compareEntries, countsOf, recordComparison, type Time } from "./record.ts";
import { askToCompare, insertRun, wakeComparison } from "./store.ts";

/** Bytes of a body with the most entries. */
const BODY_LIMIT = 1_024 * 1_024;
/** Differences that an answer names. */
const MOST_SHOWN = 500;

interface Accounts {
  /** @throws 404 if the seller has no account there */
  find: (database: Database, sellerId: number, provider: string) => Promise<PaymentAccount>;
  present: (database: Database, account: PaymentAccount) => Promise<SavedPaymentAccount>;
}

/** The routes that compare an account with its provider's list, or with a statement of its portal. */
export function comparisonRoutes(
  api: FastifyInstance,
  context: ServiceContext,
  { find, present }: Accounts,
) {
  api.post(
    "/payment-accounts/:provider/compare/",
    writeRoute<{ provider: string }, undefined, SavedPaymentAccount>(context, {
      summary: "Compare an account with its provider now",
      description:
        "Makes the daily comparison now: asks the provider about uncertain payments, and compares its list of payments, if it has one. Differences become tasks; no payment changes by itself. The comparison runs in the background; `comparison` of the account says when it has ended.",
      answer: SavedPaymentAccount,
      work: async ({ database, seller: { seller_id } }, _, { params }) => {
        const account = await find(database, seller_id, params.provider);
        await askToCompare(database, account.account_id, context.now());
        await wakeComparison(database);
        return present(database, account);
      },
    }),
  );

  api.post("/payment-accounts/:provider/statement/", {
    bodyLimit: BODY_LIMIT,
    ...writeRoute<{ provider: string }, CompareStatement, ComparedStatement>(context, {
      summary: "Compare a statement of the provider's portal",
      description:
        "Send the payments that the portal's statement names. They are matched by reference or transaction id, and their amounts and currencies must be exactly equal. Without `is_confirmed` nothing is stored; with it each difference becomes one task, and tasks whose difference is gone are closed. No payment changes by itself. Payments that the statement lacks are found only between `covers_from` and `covers_to`.",
      answer: ComparedStatement,
      schema: CompareStatement,
      work: async ({ database, seller: { seller_id } }, input, { params }) => {
        const account = await find(database, seller_id, params.provider);
        const covers = coverOf(input);
        const entries = input.entries.map(toEntry);
        const comparison = await compareEntries(database, account.account_id, entries, covers);
        const { is_confirmed, takes_unknown: takesUnknown } = input;
        const now = context.now();
        let opened = 0;
        if (is_confirmed) {
          opened = await recordComparison(database, comparison, { account, now, takesUnknown });
          await insertRun(database, {
            ...countsOf(comparison),
            seller_id,
            account_id: account.account_id,
            source: "statement",
            compared_at: now,
            covers_to: covers?.to ?? null,
            asked: 0,
            problem: null,
          });
          for (const { charge_id } of comparison.doubtful)
            await hurryCharge(database, charge_id, now);
          await wakePayments(database);
        }
        return {
          is_confirmed,
          ...countsOf(comparison),
          opened,
          results: resultsOf(comparison),
        };
      },
    }),
  });
}

/** @throws 400 for a time that ends before it begins */
function coverOf({ covers_from, covers_to }: CompareStatement): Time | null {
  if (covers_from === null || covers_to === null) return null;
  const covers = { from: new Date(covers_from), to: new Date(covers_to) };
  if (covers.to < covers.from)
    throw new ApiError(400, { covers_to: ["Use a time after covers_from."] });
  return covers;
}

const toEntry = ({ at, ...entry }: StatementEntry, place: number): Entry => ({
  ...entry,
  at: at === null ? null : new Date(at),
  isOther: false,
  place,
});

const resultsOf = ({ findings }: Comparison): ComparedStatement["results"] =>
  findings.slice(0, MOST_SHOWN).map(({ outcome, entry, charge }) => ({
    outcome,
    place: entry && entry.place + 1,
    reference: entry?.reference ?? entry?.transaction_id ?? charge?.reference ?? null,
    subscription_id: charge?.subscription_id ?? null,
    amount: charge?.amount ?? null,
    currency: charge?.currency ?? null,
    answered_amount: entry?.amount ?? null,
    answered_currency: entry?.currency ?? null,
    at: (entry ? entry.at : (charge?.approved_at ?? null))?.toISOString() ?? null,
  }));
