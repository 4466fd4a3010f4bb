import "server-only";

/**
 * What a row of `mirror_change`, as `c`, says that happened: lists and figures ask by the same words.
 * Migration 0013 says what each of its columns is.
 */
export const CHANGE_KINDS = {
  started: "c.is_first_payment",
  lost: "c.is_lost",
  saved: "(c.is_resumed or c.is_renewal and c.old_status = 'due')",
  paid: "(c.is_first_payment or c.is_renewal)",
} as const;
