import { hundredths } from "#contract/amount.ts";
import type { InquiryAnswer } from "../../providers/provider.ts";
import { tookOtherCurrency, type Charge } from "./store.ts";

export const isSameAmount = (one: string, other: string) =>
  hundredths(one) !== null && hundredths(one) === hundredths(other);

/** The database has no room for amounts from this one on. */
const MOST_HUNDREDTHS = 10n ** 14n;

export const storableAmount = (amount: string): string | null =>
  (hundredths(amount) ?? MOST_HUNDREDTHS) < MOST_HUNDREDTHS ? amount : null;

/**
 * The answer with amounts that can be counted: if the provider took another currency, only a full
 * refund counts, and a partial one is left to a person.
 */
export function countable(charge: Charge, answer: InquiryAnswer): InquiryAnswer {
  if (!tookOtherCurrency(charge)) return answer;
  if (answer.state === "held") return { state: "held", word: answer.word };
  if (answer.state !== "refunded" || answer.amount === null) return answer;
  return isSameAmount(answer.amount, charge.answered_amount ?? "")
    ? { state: "refunded", amount: null }
    : { state: "held", word: `refunded ${answer.amount} ${charge.answered_currency}` };
}
