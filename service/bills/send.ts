import { WRITING } from "../checkout/reader.ts";
import { queryRows, transaction } from "../db/database.ts";
import type { ServiceContext } from "../context.ts";
import type { Jobs } from "../jobs.ts";
import { queueMessage } from "../messages/outbox.ts";
import type { Bill } from "./bill.ts";

const BATCH = 100;

interface BillToSend extends Pick<Bill, "bill_id" | "kind" | "label" | "currency" | "amount"> {
  seller_id: number;
  seller: string;
  subscription_id: string;
  phone: string;
  email: string;
}

type Context = Pick<ServiceContext, "pool" | "now" | "publicUrl">;

/**
 * Queues the messages that tell buyers of their bills, each once.
 * @returns of how many bills; some may wait while it is a whole batch
 */
export const queueBills = ({ pool, now, publicUrl }: Context): Promise<number> =>
  transaction(pool, async (database) => {
    const bills = await queryRows<BillToSend>(
      database,
      `with taken as (
         delete from bill_to_send where bill_id in (
           select bill_id from bill_to_send limit $1 for update skip locked)
         returning bill_id)
       select b.bill_id, b.kind, b.label, b.currency, b.amount::text as amount, b.seller_id,
         coalesce(s.checkout_name, s.name) as seller, u.subscription_id, u.phone, u.email
       from taken join bill b using (bill_id) join payment p using (payment_id)
       join subscription u using (subscription_id) join seller s on s.seller_id = b.seller_id
       order by b.issued_at, b.entry_id`,
      [BATCH],
    );
    for (const bill of bills) {
      const { kind, label, seller, seller_id, subscription_id, phone, email } = bill;
      const [en, ne] = [WRITING.en, WRITING.ne].map(({ texts }) => texts.bills.kinds[kind]);
      const name = `${en} · ${ne} ${label}`;
      const sum = WRITING.en.money(bill.currency, bill.amount);
      const address = `${publicUrl}/pay/${subscription_id}/bill/${bill.bill_id}`;
      await queueMessage(database, {
        seller_id,
        kind: "receipt",
        cause: `bill:${bill.bill_id}`,
        subscription_id,
        phone,
        email,
        language: "en",
        subject: `${name} – ${seller}`,
        body: `${seller}: ${name}, ${sum}. ${address}`,
        parameters: [seller, name, sum, address],
        at: now(),
        expires_at: null,
      });
    }
    return bills.length;
  });

/** Queues them in the background, in one of all processes at a time. */
export async function runBillMessages(jobs: Jobs, context: Omit<Context, "pool">) {
  const closing = new AbortController();
  await jobs.repeat({
    name: "bills",
    cron: "* * * * *",
    expireIn: 300,
    work: async () => {
      while (!closing.signal.aborted)
        if ((await queueBills({ ...context, pool: jobs.pool })) < BATCH) break;
    },
  });
  return { close: async () => closing.abort() };
}
