/** The names that the sandbox knows, apart from what is checked by them, as subscription-statuses.ts. */
export const SCENARIO_NAMES = [
  "some_due",
  "last_day_of_grace",
  "endpoint_down",
  "month_of_history",
] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

/** How a payment can be made to end. */
export const PAYMENT_OUTCOMES = [
  "approve",
  "decline",
  "insufficient_balance",
  "time_out",
  "abandon",
] as const;
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number];

export const PAYMENT_METHODS = ["wallet", "bank"] as const;

/** Why a state of the account was kept: by hand, or before what can so be undone. */
export const STATE_KINDS = [
  "saved",
  "before_move",
  "before_scenario",
  "before_reset",
  "before_restore",
] as const;
export type StateKind = (typeof STATE_KINDS)[number];
