import type { PaymentTaskDecision } from "#contract/names.ts";
import type { PaymentTask } from "#contract/recorded-payments.ts";
import type { Failure } from "#lib/failure.ts";
import { defineSearch, oneOf, type SearchOf, uuidOrNull } from "#lib/search-params.ts";
import { type Scope, scopePath } from "#lib/scope.ts";

const taskSearch = defineSearch({
  /** What is to be decided if null. */
  show: oneOf(["decided"]),
  /** The id of the last one on the previous page. */
  before: uuidOrNull(),
});
export type TaskSearch = SearchOf<typeof taskSearch>;
export const { parse: parseTaskSearch } = taskSearch;

/** Where money is decided about, below the seller and mode. */
export const MONEY_TO_CHECK = "/payments/check";

export const moneyToCheckPath = (scope: Scope, search: Partial<TaskSearch> = {}): string =>
  scopePath(scope, `${MONEY_TO_CHECK}${taskSearch.toQuery(search)}`);

/** What ends money to check, in the order in which it is offered. */
export const DECISIONS = [
  "count_as_paid",
  "give_back",
  "nothing_came",
  "noted",
] as const satisfies readonly PaymentTaskDecision[];

/** A page of money to check, or why there is none. */
export type PaymentTasksResult =
  | { absence: "elsewhere" | "not_offered" }
  | { failure: Failure }
  | { open: number; tasks: PaymentTask[]; has_older: boolean };
