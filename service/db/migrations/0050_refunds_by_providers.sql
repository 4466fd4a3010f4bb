-- ADR 0260. What a provider gave back of a payment by itself is a refund too.
alter table refund
  drop constraint refund_cause_check,
  add constraint refund_cause_check
    check (cause in ('requested', 'settled', 'changed', 'duplicate', 'provider'));
