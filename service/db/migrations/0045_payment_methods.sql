-- A card at the checkout; cash, a transfer or another way without it.
alter table checkout_attempt drop constraint checkout_attempt_method_check,
  add constraint checkout_attempt_method_check check (method in ('wallet', 'bank', 'card'));
alter table payment
  add constraint payment_method_check
    check (method in ('wallet', 'bank', 'card', 'cash', 'transfer', 'other')) not valid;
alter table payment validate constraint payment_method_check;
