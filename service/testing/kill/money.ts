import type { ServiceClient } from "../service.ts";
import type { Ledger } from "./ledger.ts";

const CHECKS = {
  "was approved and is neither paid nor given back, or is both": `
    select c.attempt_id as id from sandbox_charge c left join payment p using (attempt_id)
    where c.seller_id = $1 and c.choice = 'approve'
      and (p.payment_id is null) = (c.returned_at is null)`,
  "is a payment that no provider approved": `
    select p.payment_id as id from payment p left join sandbox_charge c using (attempt_id)
    where p.seller_id = $1 and c.choice is distinct from 'approve'`,
  "was paid twice for a period": `
    select subscription_id as id from payment where seller_id = $1
    group by subscription_id, schedule, period_start having count(*) > 1`,
  "has other payments than its events say": `
    select s.subscription_id as id from subscription s where s.seller_id = $1
      and (select count(*) from payment p where p.subscription_id = s.subscription_id)
        <> (select count(*) from event e where e.subscription_id = s.subscription_id
            and e.event = 'checkout.succeeded')`,
  "was abandoned more than once": `
    select subscription_id as id from event where seller_id = $1 and reason = 'abandoned'
    group by subscription_id having count(*) > 1`,
};

/** Checks that the provider's records, payments and events agree. */
export async function findWrongPayments(
  pool: ServiceClient["pool"],
  seller_id: number,
): Promise<string[]> {
  const problems: string[] = [];
  for (const [problem, query] of Object.entries(CHECKS)) {
    const { rows } = await pool.query<{ id: string }>(query, [seller_id]);
    problems.push(...rows.map(({ id }) => `${id} ${problem}`));
  }
  return problems;
}

/** Checks that the receipts agree with the payments, too. */
export async function checkMoney(
  { pool }: ServiceClient,
  seller_id: number,
  { receipts }: Ledger,
): Promise<string[]> {
  const problems = await findWrongPayments(pool, seller_id);
  const { rows } = await pool.query<{ attempt_id: string }>(
    "select attempt_id from payment where seller_id = $1",
    [seller_id],
  );
  const paid = new Set(rows.map((row) => row.attempt_id));
  for (const attempt of receipts)
    if (!paid.has(attempt)) problems.push(`attempt ${attempt} has a receipt and no payment`);
  return problems;
}
