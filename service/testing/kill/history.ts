import type { ServiceClient } from "../service.ts";
import type { Ledger, OrderRecord, OutcomeCounts } from "./ledger.ts";

interface Row {
  subscription_id: string;
  event: string;
  old_status: string;
  new_status: string;
  reason: string;
  /** The billing date in the event's body, which was fixed when it happened. */
  billing: string | null;
}

interface Stored {
  subscription_id: string;
  status: string;
  billing: string | null;
  phone: string;
  wish: string;
  plan: string;
}

const EVENTS = `
  select e.subscription_id, e.event, e.old_status, e.new_status, e.reason, d.billing
  from event e left join (
    select distinct on (event_id) event_id, body::json -> 'data' ->> 'next_billing_cycle' as billing
    from delivery where seller_id = $1
  ) d using (event_id)
  where e.seller_id = $1 order by e.sequence`;

const RECORDS = `
  select s.subscription_id, s.status, wire_time(s.next_billing_cycle) as billing, s.phone,
    s.pbp_id || ' ' || s.full_name as wish,
    case l.plan_order when (select min(plan_order) from plan where seller_id = $1)
      then 'first' else 'second' end as plan
  from subscription s join plan l using (plan_id) where s.seller_id = $1 order by s.position`;

/** The inconsistencies between a seller's answers, subscriptions and events. */
export async function checkHistory(
  { pool }: ServiceClient,
  seller_id: number,
  ledger: Ledger,
): Promise<string[]> {
  const { rows: events } = await pool.query<Row>(EVENTS, [seller_id]);
  const { rows: records } = await pool.query<Stored>(RECORDS, [seller_id]);
  const told = Map.groupBy(events, (row) => row.subscription_id);
  const known = new Set(records.map((record) => record.subscription_id));
  const lost = ledger.orders.filter((order) => order.id !== null && !known.has(order.id));
  return [
    ...lost.map((order) => `subscription ${order.id} was answered with 201 and is not there`),
    ...records.flatMap((record) => checkChain(record, told.get(record.subscription_id) ?? [])),
    ...records.flatMap((record) => checkOrigin(record, ledger.orders)),
    ...checkChanges(events, ledger),
  ];
}

/**
 * Checks that each event continues the one before it, and that the last one matches the
 * subscription.
 */
function checkChain({ subscription_id: id, status, billing }: Stored, events: Row[]): string[] {
  const problems: string[] = [];
  let [at, date]: [string, string | null] = ["pending_checkout", null];
  for (const event of events) {
    const name = `${event.event} ${event.old_status} > ${event.new_status} (${event.reason})`;
    if (event.old_status !== at) problems.push(`${id} was ${at} when it had ${name}`);
    if (event.event !== "subscription.status_changed") continue;
    [at, date] = [event.new_status, event.billing];
  }
  if (status !== at) problems.push(`${id} is ${status}, but its events leave it ${at}`);
  if (billing !== date) problems.push(`${id} bills ${billing}, but its events say ${date}`);
  return problems;
}

/**
 * Checks that the subscription has the values of the last confirmed request, or of a later one with
 * unknown result.
 */
function checkOrigin(record: Stored, orders: OrderRecord[]): string[] {
  const { subscription_id: id, phone, plan, wish } = record;
  const own = orders.filter(
    (order) => order.phone === phone && order.plan === plan && [id, null].includes(order.id),
  );
  const last = own.findLastIndex((order) => order.id === id);
  const allowed = own.slice(Math.max(last, 0)).map((order) => order.wish);
  return allowed.includes(wish) ? [] : [`${id} holds an order that was overwritten: ${wish}`];
}

/**
 * Checks that confirmed requests happened exactly once, and those with unknown result at most once.
 */
function checkChanges(events: Row[], { changes }: Ledger): string[] {
  const happened = new Map<string, number>();
  for (const { subscription_id: id, reason, billing } of events) {
    const change =
      reason === "reschedule" ? `${id} reschedule ${billing?.slice(0, 10)}` : `${id} ${reason}`;
    happened.set(change, (happened.get(change) ?? 0) + 1);
  }
  const asked = [...happened.keys()].filter((change) =>
    /(cancel|resume|reschedule)/.test(change),
  );
  return [...new Set([...changes.keys(), ...asked])].flatMap((change) => {
    const count = happened.get(change) ?? 0;
    const { acknowledged, unknown }: OutcomeCounts = changes.get(change) ?? {
      acknowledged: 0,
      unknown: 0,
    };
    if (count >= acknowledged && count <= acknowledged + unknown) return [];
    return [`${change}: ${acknowledged} answered, ${unknown} unknown, ${count} happened`];
  });
}
