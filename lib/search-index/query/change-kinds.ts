import "server-only";

/**
 * SQL conditions on a `mirror_change` row `c` for each kind of change, shared by lists and reports.
 * Migration 0013 describes the columns.
 */
export const CHANGE_KINDS = {
  started: "c.is_first_payment",
  lost: "c.is_lost",
  saved: "(c.is_resumed or c.is_renewal and c.old_status = 'due')",
  paid: "(c.is_first_payment or c.is_renewal)",
} as const;
