import type { PaymentTaskDecision } from "#contract/names.ts";
import type { PaymentTask } from "#contract/recorded-payments.ts";
import type { Failure } from "#lib/failure.ts";
import { defineSearch, oneOf, type SearchOf, uuidOrNull } from "#lib/search-params.ts";
import { type Scope, scopePath } from "#lib/scope.ts";

const taskSearch = defineSearch({
  /** Null shows the open tasks. */
  show: oneOf(["decided"]),
  /** The id of the last task on the previous page. */
  before: uuidOrNull(),
});
export type TaskSearch = SearchOf<typeof taskSearch>;
export const { parse: parseTaskSearch } = taskSearch;

/** The path of the decisions about money, below the seller and mode. */
export const MONEY_TO_CHECK = "/payments/check";

export const moneyToCheckPath = (scope: Scope, search: Partial<TaskSearch> = {}): string =>
  scopePath(scope, `${MONEY_TO_CHECK}${taskSearch.toQuery(search)}`);

/** The decisions, in the order in which they are offered. */
export const TASK_DECISIONS = [
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
