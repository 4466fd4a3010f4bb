import type { PaymentTaskKind, StatementOutcome } from "#contract/names.ts";
import type { Database } from "../../db/database.ts";
import { closeTask, openTask } from "../../payment-tasks/tasks.ts";
import { selectSellerTime } from "../../refunds/store.ts";
import type { PaymentAccount } from "../account-store.ts";
import { compare, type Comparison, type Entry, type Finding } from "./compare.ts";
import { selectApprovedWithin, selectFoundTasks, selectKnown } from "./store.ts";

/** Clocks differ, and a payment at the edge of a statement may be on the next one. */
const EDGE = 15 * 60_000;

export interface Time {
  from: Date;
  to: Date;
}

/**
 * Compares entries with the charges of an account.
 * @param covers the time that the entries cover completely; null if that is not known
 */
export async function compareEntries(
  database: Database,
  account_id: number,
  entries: readonly Entry[],
  covers: Time | null,
): Promise<Comparison> {
  const names = entries.flatMap(({ reference, transaction_id }) =>
    [reference, transaction_id].filter((name) => name !== null),
  );
  const known = await selectKnown(database, account_id, [...new Set(names)]);
  const approved = covers
    ? await selectApprovedWithin(database, account_id, {
        from: new Date(covers.from.getTime() + EDGE),
        to: new Date(covers.to.getTime() - EDGE),
      })
    : [];
  return compare(entries, known, approved);
}

export const countsOf = ({ matched, findings, listed }: Comparison) => {
  const count = (outcome: StatementOutcome) =>
    findings.filter((finding) => finding.outcome === outcome).length;
  return {
    listed,
    matched: matched.length,
    statement_only: count("statement_only"),
    service_only: count("service_only"),
    differing: count("differing"),
    unclear: count("unclear"),
  };
};

const KINDS: Record<StatementOutcome, PaymentTaskKind | null> = {
  statement_only: "statement_only",
  service_only: "service_only",
  differing: "amount_differs",
  unclear: null,
};

interface Recording {
  account: Pick<PaymentAccount, "account_id" | "seller_id">;
  now: Date;
  /** Whether payments that are unknown here become tasks. */
  takesUnknown: boolean;
}

/**
 * Opens tasks for the differences, except unclear ones and those of held charges, and closes tasks whose
 * difference is gone; no payment changes.
 * @returns how many tasks are new
 */
export async function recordComparison(
  database: Database,
  { matched, findings }: Comparison,
  { account, now, takesUnknown }: Recording,
): Promise<number> {
  const { seller_id, account_id } = account;
  const at = await selectSellerTime(database, seller_id, now);
  const confirmed = matched.map(({ charge_id }) => charge_id);
  let opened = 0;
  for (const finding of findings) {
    const kind = KINDS[finding.outcome];
    const isUnknown = finding.charge === null;
    // A charge that is held has a task already.
    if (!kind || (isUnknown && !takesUnknown) || finding.charge?.state === "held") continue;
    if (await openTask(database, { ...taskOf(finding), seller_id, account_id, kind, at }))
      opened += 1;
  }
  for (const task of await selectFoundTasks(database, account_id)) {
    const isConfirmed = confirmed.includes(task.now_charge_id ?? "");
    if (isConfirmed || (task.kind === "statement_only" && task.is_paid))
      await closeTask(database, task, { at, by: null, decision: "settled" });
  }
  return opened;
}

const taskOf = ({ entry, charge }: Finding) => ({
  charge_id: charge?.charge_id ?? null,
  payment_id: charge?.payment_id ?? null,
  subscription_id: charge?.subscription_id ?? null,
  reference: charge?.reference ?? entry?.transaction_id ?? entry?.reference ?? null,
  amount: charge?.amount ?? null,
  currency: charge?.currency ?? null,
  answered_amount: entry?.amount ?? null,
  answered_currency: entry?.currency ?? null,
});
