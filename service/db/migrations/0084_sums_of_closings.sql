-- ADR 0181. A month's statement summed all lines of the month. Now a closing also has the sums of all
-- lines before its end, so a month is the difference of two closings.
alter table ledger_closing
  -- Null in closings of earlier versions: the hourly job completes those that it meets, and makes the
  -- others again.
  add column debit numeric(20, 2),
  add column credit numeric(20, 2),
  -- Credits less debits by payments, and debits less credits by reversals.
  add column paid numeric(20, 2),
  add column taken_back numeric(20, 2),
  -- The payments whose first line is of the account.
  add column payments bigint;
