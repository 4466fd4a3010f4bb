import { hundredths } from "#contract/amount.ts";
import type { InquiryAnswer } from "../../providers/provider.ts";
import { tookOtherCurrency, type Charge } from "./store.ts";

export const isSameAmount = (one: string, other: string) =>
  hundredths(one) !== null && hundredths(one) === hundredths(other);

/** Amounts from here on have no room in the database. */
const MOST_HUNDREDTHS = 10n ** 14n;

export const storableAmount = (amount: string): string | null =>
  (hundredths(amount) ?? MOST_HUNDREDTHS) < MOST_HUNDREDTHS ? amount : null;

/**
 * The answer with amounts that can be counted: of a charge that took another currency, only all or
 * nothing. What the provider says of a part is for a person.
 */
export function countable(charge: Charge, answer: InquiryAnswer): InquiryAnswer {
  if (!tookOtherCurrency(charge)) return answer;
  if (answer.state === "held") return { state: "held", word: answer.word };
  if (answer.state !== "refunded" || answer.amount === null) return answer;
  return isSameAmount(answer.amount, charge.answered_amount ?? "")
    ? { state: "refunded", amount: null }
    : { state: "held", word: `refunded ${answer.amount} ${charge.answered_currency}` };
}
