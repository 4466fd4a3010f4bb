import { hundredths } from "#contract/amount.ts";
import type { StatementOutcome } from "#contract/names.ts";
import type { ListedPayment } from "../../providers/provider.ts";
import type { KnownCharge } from "./store.ts";

/** A payment by the provider's list or statement. */
export interface Entry extends ListedPayment {
  /** The row of the input; several rows of one payment count once. */
  place: number;
}

/** A payment on which the provider and this service do not agree. */
export interface Finding {
  outcome: StatementOutcome;
  /** Null if the provider does not name the payment. */
  entry: Entry | null;
  /** Null if this service does not know the payment. */
  charge: KnownCharge | null;
}

export interface Comparison {
  /** Charges on which the provider and this service agree. */
  matched: KnownCharge[];
  findings: Finding[];
  /** Charges about which the provider has to be asked, because its list says something else. */
  doubtful: KnownCharge[];
  /** The number of different payments that the provider names. */
  listed: number;
}

const RANK = { refunded: 3, paid: 2, unclear: 1, unpaid: 0 };

/** Each payment once, with the row that says most about it. Rows without a name are left out. */
function withoutDoubles(entries: readonly Entry[]): Entry[] {
  const known = new Map<string, Entry>();
  for (const entry of entries) {
    const key = entry.transaction_id ?? entry.reference;
    if (key === null) continue;
    const other = known.get(key);
    if (!other || RANK[entry.state] > RANK[other.state]) known.set(key, entry);
  }
  return [...known.values()];
}

/**
 * Compares the provider's entries with the charges here, exactly.
 * @param known the charges that any entry names
 * @param approved charges that the provider has to name
 */
export function compare(
  entries: readonly Entry[],
  known: readonly KnownCharge[],
  approved: readonly KnownCharge[],
): Comparison {
  const byName = new Map<string, KnownCharge>();
  for (const charge of known)
    for (const name of [charge.reference, charge.transaction_id])
      if (name !== null) byName.set(name, charge);
  const result: Comparison = { matched: [], findings: [], doubtful: [], listed: 0 };
  const ofCharge = new Map<string, { charge: KnownCharge; entries: Entry[] }>();
  for (const entry of withoutDoubles(entries)) {
    result.listed += 1;
    const names = [entry.transaction_id, entry.reference];
    const charge = names.map((name) => byName.get(name ?? "")).find((found) => found);
    if (charge) {
      const group = ofCharge.get(charge.charge_id) ?? { charge, entries: [] };
      group.entries.push(entry);
      ofCharge.set(charge.charge_id, group);
    } else if (entry.state === "paid" && !entry.isOther)
      result.findings.push({ outcome: "statement_only", entry, charge: null });
    else if (entry.state === "unclear" && !entry.isOther)
      result.findings.push({ outcome: "unclear", entry, charge: null });
  }
  for (const { charge, entries: rows } of ofCharge.values()) judge(result, charge, rows);
  for (const charge of approved)
    if (!ofCharge.has(charge.charge_id))
      result.findings.push({ outcome: "service_only", entry: null, charge });
  return result;
}

/** Compares a charge with the provider's rows about it. */
function judge(result: Comparison, charge: KnownCharge, rows: Entry[]) {
  const [entry, ...others] = rows.toSorted(
    (one, other) =>
      RANK[other.state] - RANK[one.state] ||
      Number(other.transaction_id === charge.transaction_id) -
        Number(one.transaction_id === charge.transaction_id),
  );
  if (!entry) return;
  // Another transaction under the same reference: the buyer paid twice.
  for (const second of others)
    if (
      second.state === "paid" &&
      second.transaction_id !== null &&
      entry.transaction_id !== null
    )
      result.findings.push({ outcome: "statement_only", entry: second, charge: null });
  const isPaid = charge.state === "approved";
  const find = (outcome: StatementOutcome) => result.findings.push({ outcome, entry, charge });
  switch (entry.state) {
    case "unclear":
      find("unclear");
      return;
    case "unpaid":
      if (!isPaid) return;
      result.doubtful.push(charge);
      find("service_only");
      return;
    case "refunded":
      if (charge.refunded_amount === null) result.doubtful.push(charge);
      result.matched.push(charge);
      return;
    case "paid":
      if (entry.amount === null) find("unclear");
      else if (!isSame(entry, charge)) {
        if (!isPaid) result.doubtful.push(charge);
        find("differing");
      } else if (isPaid) result.matched.push(charge);
      else {
        result.doubtful.push(charge);
        find("statement_only");
      }
  }
}

const isSame = ({ amount, currency }: Entry, charge: KnownCharge) =>
  amount !== null &&
  hundredths(amount) === hundredths(charge.amount) &&
  currency === charge.currency;
