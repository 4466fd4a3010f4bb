import { randomUUID } from "node:crypto";
import { REMINDER_REFUSALS } from "#contract/field-messages.ts";
import type { SentMessage } from "#contract/messages.ts";
import { WRITING } from "../checkout/reader.ts";
import type { ServiceContext } from "../context.ts";
import { queryRow, queryRows, transaction, type Database } from "../db/database.ts";
import { detailError, notFoundError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import type { Jobs } from "../jobs.ts";
import { requireMessage } from "../messages/list-store.ts";
import { queueMessage } from "../messages/outbox.ts";
import type { FindAttachment } from "../messages/send.ts";
import type { Bill } from "./bill.ts";
import { billFileName, findBill, readBillPdf } from "./store.ts";

const BATCH = 100;
/** Most bytes of a bill that is attached to a mail; mail servers refuse messages from 10 MB on. */
const MOST_ATTACHED = 5_000_000;

interface BillToSend extends Pick<Bill, "bill_id" | "kind" | "label" | "currency" | "amount"> {
  seller_id: number;
  seller: string;
  subscription_id: string;
  phone: string;
  email: string;
}

type Context = Pick<ServiceContext, "pool" | "now" | "publicUrl">;

const billsToSend = (source: string) => `
  select b.bill_id, b.kind, b.label, b.currency, b.amount::text as amount, b.seller_id,
    coalesce(s.checkout_name, s.name) as seller, u.subscription_id, u.phone, u.email
  from ${source} join payment p using (seller_id, payment_id)
    join subscription u using (seller_id, subscription_id)
  join seller s on s.seller_id = b.seller_id`;

/**
 * Queues the messages that tell buyers of their bills, each once.
 * @returns the number of bills; after a full batch more may wait
 */
export const queueBills = ({ pool, now, publicUrl }: Context): Promise<number> =>
  transaction(pool, async (database) => {
    const bills = await queryRows<BillToSend>(
      database,
      `with taken as (
         delete from bill_to_send where (seller_id, bill_id) in (
           select seller_id, bill_id from bill_to_send limit $1 for update skip locked)
         returning seller_id, bill_id)
       ${billsToSend("taken join bill b using (seller_id, bill_id)")} order by b.issued_at, b.entry_id`,
      [BATCH],
    );
    for (const bill of bills)
      await queueBill(database, bill, { cause: causeOf(bill.bill_id), at: now(), publicUrl });
    return bills.length;
  });

/**
 * Queues a message about a bill because a member asks for it, even if there was one before.
 * @throws 404 for a bill that is not the seller's, 400 if no channel reaches the buyer
 */
export async function sendBill(
  database: Database,
  wanted: { seller_id: number; bill_id: string },
  { now, publicUrl }: Omit<Context, "pool">,
): Promise<SentMessage> {
  const { seller_id, bill_id } = wanted;
  const bill = isUuid(bill_id)
    ? await queryRow<BillToSend>(
        database,
        `${billsToSend("bill b")} where b.seller_id = $1 and b.bill_id = $2`,
        [seller_id, bill_id],
      )
    : null;
  if (!bill) throw notFoundError();
  const cause = `${causeOf(bill_id)}:${randomUUID()}`;
  const queued = await queueBill(database, bill, { cause, at: now(), publicUrl });
  if (queued === "no_channel") throw detailError(400, REMINDER_REFUSALS.unreachable);
  return requireMessage(database, seller_id, cause);
}

const causeOf = (billId: string) => `bill:${billId}`;

function queueBill(
  database: Database,
  bill: BillToSend,
  { cause, at, publicUrl }: { cause: string; at: Date; publicUrl: string },
) {
  const { kind, label, seller, seller_id, subscription_id, phone, email } = bill;
  const [en, ne] = [WRITING.en, WRITING.ne].map(({ texts }) => texts.bills.kinds[kind]);
  const name = `${en} · ${ne} ${label}`;
  const sum = WRITING.en.money(bill.currency, bill.amount);
  const address = `${publicUrl}/pay/${subscription_id}/bill/${bill.bill_id}`;
  return queueMessage(database, {
    seller_id,
    kind: "receipt",
    cause,
    subscription_id,
    phone,
    email,
    language: "en",
    subject: `${name} – ${seller}`,
    body: `${seller}: ${name}, ${sum}. ${address}`,
    parameters: [seller, name, sum, address],
    at,
    expires_at: null,
  });
}

/**
 * The PDF of the bill that a message is about. A file that is too large or cannot be made is left
 * out: the message has its address.
 */
export const billAttachment =
  (
    {
      onError,
      ...context
    }: Pick<ServiceContext, "pool" | "publicUrl" | "mode"> & {
      onError: (error: unknown) => void;
    },
    most = MOST_ATTACHED,
  ): FindAttachment =>
  async ({ kind, cause, seller_id }) => {
    const [, billId] = /^bill:([^:]+)/.exec(cause) ?? [];
    if (kind !== "receipt" || billId === undefined || !isUuid(billId)) return null;
    try {
      const bill = await findBill(context.pool, seller_id, billId);
      if (!bill) return null;
      const content = await readBillPdf(context, bill);
      if (content.length > most) return null;
      return { name: billFileName(bill), mediaType: "application/pdf", content };
    } catch (error) {
      onError(error);
      return null;
    }
  };

/** Queues bill messages in the background, in one process at a time. */
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
