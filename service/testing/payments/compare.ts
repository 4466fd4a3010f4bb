import assert from "node:assert/strict";
import type { ServiceClient } from "../service.ts";
import type { ProviderBooks } from "./books.ts";

export type PaymentCounts = Record<string, number>;

interface StoredCharge {
  charge_id: string;
  provider: string;
  reference: string | null;
  state: string;
  answer: string | null;
  units: string;
  is_booked: boolean;
  /** Whether a person said that the charge counts as paid, whatever its amount. */
  is_decided: boolean;
  is_due: boolean;
  payments: number;
  paid: string | null;
  /** The state of the refund of money that was not owed. */
  refund: string | null;
  /** Refunds in the smallest unit: those that are done, and open ones that may have been made. */
  done: string;
  unknown: string;
  /** The part that the ledger books at the provider, with its fee. */
  booked: string;
  /** What the provider keeps for a dispute, as the service has it; null without one. */
  disputed: string | null;
}

const CHARGES = `
  select c.charge_id, a.provider, c.reference, c.state, c.answer, c.is_booked,
    (c.amount * 100)::bigint::text as units, coalesce(c.next_at <= $2, false) as is_due,
    exists (select from payment_task t where t.charge_id = c.charge_id
      and t.decision = 'count_as_paid') as is_decided,
    case when c.dispute is not null then (c.disputed_amount * 100)::bigint::text end as disputed,
    p.payments, p.paid, r.refund, r.done, r.unknown, l.booked
  from charge c join payment_account a using (account_id) cross join lateral (
    select count(*)::int as payments, (sum(p.amount) * 100)::bigint::text as paid
    from payment p where p.attempt_id = c.attempt_id and c.is_booked
  ) p cross join lateral (
    select min(state) filter (where payment_id is null and failed_at is null) as refund,
      coalesce(sum(amount * 100) filter (where state = 'done'), 0)::bigint::text as done,
      coalesce(sum(amount * 100) filter (where is_uncertain and ended_at is null), 0)::bigint::text
        as unknown
    from refund r where r.charge_id = c.charge_id
  ) r cross join lateral (
    select coalesce(sum(l.amount * 100), 0)::bigint::text as booked
    from journal_entry e join journal_line l using (entry_id)
    where e.charge_id = c.charge_id and l.account in ('provider', 'provider_fee')
  ) l where c.seller_id = any ($1)`;

const UNPAID = `
  select p.payment_id as id, 'a payment without a booked charge' as problem from payment p
  where p.seller_id = any ($1) and (select count(*) from charge c
    where c.attempt_id = p.attempt_id and c.is_booked and c.state = 'approved') <> 1
  union all
  select subscription_id, 'paid twice for a period' from payment where seller_id = any ($1)
  group by subscription_id, schedule, period_start having count(*) > 1
  union all
  select s.subscription_id, 'other payments than its events say' from subscription s
  where s.seller_id = any ($1) and (select count(*) from payment p where p.subscription_id = s.subscription_id)
    <> (select count(*) from event e where e.subscription_id = s.subscription_id
        and e.event = 'checkout.succeeded')
  union all
  select s.subscription_id, 'other refunds than its events say' from subscription s
  where s.seller_id = any ($1) and (select count(*) from refund r
      where r.subscription_id = s.subscription_id and r.payment_id is not null and r.state = 'done')
    <> (select coalesce(sum(case e.event when 'payment.refunded' then 1
          when 'payment.refund_failed' then -1 end), 0)
        from event e where e.subscription_id = s.subscription_id)
  union all
  select s.subscription_id, s.status || ' and never paid' from subscription s
  where s.seller_id = any ($1) and s.status in ('active', 'due')
    and not exists (select from payment p where p.subscription_id = s.subscription_id)
  union all
  select e.payment_id, 'booked without a bill of the same money' from journal_entry e
  left join bill b on b.entry_id = e.entry_id and b.kind <> 'debit_note'
  where e.seller_id = any ($1) and e.payment_id is not null
    and e.kind in ('payment', 'reversal', 'refund', 'provider_refund')
    and not exists (select from refund r where r.payment_id = e.payment_id and r.failed_at is not null)
    and b.amount is distinct from (select coalesce(sum(l.amount), 0) from journal_line l
      where l.entry_id = e.entry_id and l.amount > 0)
  union all
  select p.payment_id, 'credited less than went back, or more than was asked for' from payment p
  cross join lateral (select coalesce(sum(case kind when 'debit_note' then -amount else amount end), 0) as credited
    from bill b where b.payment_id = p.payment_id and b.corrects is not null) notes
  where p.seller_id = any ($1) and p.reversed_at is null and exists (
      select from refund r where r.payment_id = p.payment_id and r.failed_at is not null)
    and credited not between p.refunded and p.refunds
  union all
  select null, 'a gap in the numbers of bills' from bill where seller_id = any ($1)
  group by seller_id, kind, fiscal_year having max(number) <> count(*)
  union all
  select null, 'the ledger does not add up to zero' from journal_line
  where seller_id = any ($1) group by seller_id, currency having sum(amount) <> 0
  union all
  select a.attempt_id, 'an attempt that is pending for ever' from checkout_attempt a
  where a.seller_id = any ($1) and a.state = 'pending' and not exists (
    select from charge c where c.attempt_id = a.attempt_id and c.state = 'held')
  union all
  select c.charge_id, 'held without a task' from charge c
  where c.seller_id = any ($1) and c.state = 'held' and not exists (
    select from payment_task t where t.charge_id = c.charge_id)
  union all
  select r.refund_id, 'sent to a provider that took another currency' from refund r
  join charge c using (charge_id)
  where r.seller_id = any ($1) and c.answered_currency <> c.currency
    and r.provider_refund_id is not null
  union all
  select p.payment_id, 'another sum than that of its refunds' from payment p
  where p.seller_id = any ($1) and (p.refunded > p.refunds or p.refunds > p.amount or p.refunded <> (
    select coalesce(sum(amount), 0) from refund r
    where r.payment_id = p.payment_id and r.state = 'done'))`;

/**
 * Compares the providers' books with the service's, when nothing is due any more.
 * @returns how often each thing happened
 * @throws AssertionError that names the differences
 */
export async function comparePayments(
  { pool, clock }: Pick<ServiceClient, "pool" | "clock">,
  sellers: number[],
  books: ProviderBooks,
): Promise<PaymentCounts> {
  const { rows } = await pool.query<StoredCharge>(CHARGES, [sellers, clock.now()]);
  const { rows: wrong } = await pool.query<{ id: string; problem: string }>(UNPAID, [sellers]);
  const problems = wrong.map(({ id, problem }) => `${id}: ${problem}`);
  const counts: PaymentCounts = {};
  const count = (what: string) => (counts[what] = (counts[what] ?? 0) + 1);
  const byReference = new Map(rows.map((row) => [row.reference, row]));
  const taken = new Set<string>();
  for (const { provider, payment, back } of books.taken()) {
    const { reference, units } = payment;
    taken.add(reference);
    const charge = byReference.get(reference);
    const say = (what: string) =>
      problems.push(
        `${provider} took ${units} and gave back ${back} (${payment.word}): ${what} ${JSON.stringify(charge)}`,
      );
    const place = charge ? placeOf(charge) : "forgotten";
    count(place);
    if (place === "both booked and owed back") say(place);
    if (back > units) say("given back twice");
    if (!charge || place === "forgotten") {
      say("forgotten");
      continue;
    }
    const isUndone = books.undone.has(reference);
    if (isUndone) count("undone by the provider");
    if (place === "booked") {
      if (charge.payments !== 1) say(`booked ${charge.payments} times`);
      const isRight = charge.is_decided || charge.units === String(units);
      if (charge.paid !== charge.units || !isRight) say("booked with another amount");
      const done = BigInt(charge.done);
      if (done > back) say("said to be given back");
      if (!isUndone && back > done + BigInt(charge.unknown)) say("given back unbidden");
    }
    const kept = books.disputeOf(provider, payment)?.taken ?? 0;
    if (charge.disputed !== null) {
      count("disputes heard of");
      if (BigInt(charge.disputed) !== BigInt(kept)) say("disputed otherwise");
    }
    const here = units - BigInt(charge.disputed ?? 0);
    const inLedger = BigInt(charge.booked);
    const isCertain = !isUndone && charge.unknown === "0";
    if (charge.state !== "approved") {
      if (inLedger !== 0n) say("in the ledger");
    } else if (isCertain ? inLedger !== here - back : inLedger < here - back || inLedger > here)
      say("with another balance in the ledger");
    if (place === "given back" && back !== units) say("said to be given back");
    if (place === "owed" && back === units && !isUndone) say("given back and said to be owed");
  }
  for (const charge of rows) {
    count(`${charge.provider}: ${charge.state}`);
    const say = (what: string) => problems.push(`${what}: ${JSON.stringify(charge)}`);
    if (charge.state === "approved" && !taken.has(charge.reference ?? ""))
      say("approved without money");
    if (charge.is_due) say("due for ever");
    if (charge.state === "claimed" || charge.state === "open") say("never ends");
  }
  assert.equal(problems.length, 0, problems.join("\n"));
  return counts;
}

/** What the service says of a charge's money, such as booked, held, owed or given back. */
function placeOf({ state, is_booked, refund, answer }: StoredCharge): string {
  if (state === "held") return "held";
  if (state === "left" && answer === "refunded") return "given back";
  if (state !== "approved") return "forgotten";
  if (is_booked) return refund === null ? "booked" : "both booked and owed back";
  if (refund === null) return "forgotten";
  return refund === "done" ? "given back" : refund;
}
