-- A verified delivery is a payment of the ledger, at what it says, or at what the checkout asked for. Where the
-- record showed that payment before, the delivery takes its row, and no row of another payment.
create or replace function keep_proof() returns trigger language plpgsql as $$
declare
  told jsonb;
  said text;
  moment timestamptz;
  sum numeric;
  its_currency text;
  its_product text;
  known text := 'unknown';
  is_list boolean;
  shown bigint;
begin
  -- An example was made up, to try things out.
  if new.subscription_id is null or new.reason = 'example' then return null; end if;
  perform lock_ledger(new.seller_id, new.mode);
  begin
    told := ltrim(new.body, U&'\FEFF')::jsonb;
  exception when others then
    -- PostgreSQL reads less than JSON allows, such as a NUL; the delivery is a proof all the same.
    told := null;
  end;
  begin
    if told ->> 'timestamp' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$' then
      moment := (told ->> 'timestamp')::timestamptz;
    end if;
  exception when others then
    moment := null;
  end;
  select coalesce(a.asked, s.price), case when s.price is not null then a.asked is null end,
         nullif(s.currency, ''), s.product_name
    into sum, is_list, its_currency, its_product
    from mirror_subscription s, amount_asked(s.seller_id, s.mode, s.pbp_id, s.price, s.currency,
                                             coalesce(moment, new.received_at)) a (asked)
   where s.seller_id = new.seller_id and s.mode = new.mode and s.id = new.subscription_id;
  said := coalesce(told #>> '{data,amount}', told ->> 'amount');
  if said ~ '^\d{1,12}(\.\d{1,2})?$' then
    sum := said::numeric;
    its_currency := coalesce(told #>> '{data,currency}', told ->> 'currency', its_currency);
    known := 'delivery';
    is_list := false;
  elsif sum is not null then
    known := 'subscription';
  end if;
  -- The record may have shown it before: of the same kind, and within the period that it showed. Where nobody says
  -- when, or it was paid ahead of its date, so that the period before may run, not long ago: senders try again for
  -- three days.
  select p.id into shown
    from proof p
    left join mirror_change c on c.seller_id = new.seller_id and c.mode = new.mode
     and c.subscription_id = new.subscription_id and c.proof_id = p.id
   where p.seller_id = new.seller_id and p.mode = new.mode and p.subscription_id = new.subscription_id
     and p.received_delivery_id is null
     and coalesce(p.is_renewal = (new.old_status <> 'pending_checkout'), true)
     and not coalesce(new.old_status = 'active' and c.old_status = 'due', false)
     and coalesce(p.said_at <= moment + interval '1 hour', true)
     and coalesce(c.new_next_billing > moment, true)
     and (p.said_at <= moment + interval '1 hour' and new.old_status is distinct from 'active'
          or p.at >= new.received_at - interval '4 days')
   order by p.at desc limit 1;
  if shown is not null then
    update proof p
       set received_delivery_id = new.id, delivery_id = new.delivery_id,
           said_at = coalesce(moment, p.said_at), amount = round(coalesce(sum, p.amount), 2),
           currency = coalesce(left(its_currency, 10), p.currency),
           fee = round(coalesce(sum, p.amount) * 0.0199, 2),
           net = round(coalesce(sum, p.amount), 2) - round(coalesce(sum, p.amount) * 0.0199, 2),
           known_by = case when sum is null then p.known_by else known end,
           is_list_price = case when sum is null then p.is_list_price else is_list end
     where p.seller_id = new.seller_id and p.mode = new.mode and p.id = shown;
    return null;
  end if;
  insert into proof (seller_id, mode, received_delivery_id, delivery_id, subscription_id, at, said_at,
                     product_name, amount, currency, fee, net, known_by, is_list_price, is_renewal)
  values (new.seller_id, new.mode, new.id, new.delivery_id, new.subscription_id, new.received_at,
          moment, its_product, round(sum, 2), left(its_currency, 10), round(sum * 0.0199, 2),
          round(sum, 2) - round(sum * 0.0199, 2), known, is_list, new.old_status <> 'pending_checkout');
  return null;
end
$$;
