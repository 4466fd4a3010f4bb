import { randomUUID } from "node:crypto";
import type { PaymentTaskEnd, PaymentTaskKind } from "#contract/names.ts";
import type { DoneBy } from "#contract/recorded-payments.ts";
import { queryRow, type Database, concernsRow } from "../db/database.ts";

/** The subject of a task: a charge, else a refund, else a payment, else a provider's reference. */
interface Subject {
  seller_id: number;
  kind: PaymentTaskKind;
  charge_id?: string | null;
  refund_id?: string | null;
  payment_id?: string | null;
  /** The account at the provider, to which the `reference` belongs. */
  account_id?: number | null;
  reference?: string | null;
}

export interface NewTask extends Subject {
  subscription_id?: string | null;
  /** The amount in the service, as decimal text. */
  amount?: string | null;
  currency?: string | null;
  /** The amount that the provider says. */
  answered_amount?: string | null;
  answered_currency?: string | null;
  /** The provider's own word, or a few words of what was found; nothing secret or personal. */
  detail?: string | null;
  /** Time of the seller's clock. */
  at: Date;
}

/** Kinds that later answers report again, so that a person's decision about them must stay. */
const FOUND_AGAIN: readonly PaymentTaskKind[] = [
  "refunded_by_provider",
  "disputed",
  "denied",
  "statement_only",
  "service_only",
  "amount_differs",
];

const valuesOf = (task: Subject) => [
  task.seller_id,
  task.kind,
  task.charge_id ?? null,
  task.refund_id ?? null,
  task.payment_id ?? null,
  task.account_id ?? null,
  task.reference ?? null,
];

const SAME = `seller_id = $1 and kind = $2 and case
  when $3::uuid is not null then charge_id = $3
  when $4::uuid is not null then refund_id = $4 and charge_id is null
  when $5::uuid is not null then payment_id = $5 and charge_id is null and refund_id is null
  else reference = $7 and coalesce(account_id, 0) = coalesce($6::bigint, 0) and charge_id is null
    and refund_id is null and payment_id is null end`;

/**
 * Opens a task, in the transaction of its cause. If a task of the same kind and subject is open
 * already, that one gets the new amounts and words. What later answers report again opens no task
 * once a person has closed one with the same amounts, and for a dispute with the same word.
 * @returns whether the task is new
 */
export async function openTask(database: Database, task: NewTask): Promise<boolean> {
  const subject = valuesOf(task);
  const told = [
    task.amount ?? null,
    task.currency ?? null,
    task.answered_amount ?? null,
    task.answered_currency ?? null,
    task.detail ?? null,
  ];
  const opened = await queryRow(
    database,
    `insert into payment_task (seller_id, kind, charge_id, refund_id, payment_id, account_id,
       reference, amount, currency, answered_amount, answered_currency, detail, task_id,
       subscription_id, opened_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15
     where not $16 or not exists (select from payment_task where ${SAME}
       and closed_by_id is not null and amount is not distinct from $8::numeric
       and currency is not distinct from $9 and answered_amount is not distinct from $10::numeric
       and answered_currency is not distinct from $11
       and (kind <> 'disputed' or detail is not distinct from $12))
     on conflict do nothing returning 1`,
    [
      ...subject,
      ...told,
      randomUUID(),
      task.subscription_id ?? null,
      task.at,
      FOUND_AGAIN.includes(task.kind),
    ],
  );
  if (opened) return true;
  await database.query(
    `update payment_task set amount = $8, currency = $9, answered_amount = $10,
       answered_currency = $11, detail = $12
     where ${SAME} and closed_at is null`,
    [...subject, ...told],
  );
  return false;
}

type Closing = { at: Date } & (
  | { by: DoneBy; decision: Exclude<PaymentTaskEnd, "settled">; note: string }
  /** The task closed itself, because its question is decided. */
  | { by: null; decision: "settled" }
);

/** Closes the open task of that kind and subject. @returns whether there was one */
export async function closeTask(
  database: Database,
  subject: Subject,
  { at, by, decision, ...rest }: Closing,
): Promise<boolean> {
  const note = "note" in rest ? rest.note : null;
  return concernsRow(
    database,
    `update payment_task set closed_at = $8, closed_by_id = $9, closed_by = $10, decision = $11,
       note = $12
     where ${SAME} and closed_at is null`,
    [...valuesOf(subject), at, by?.id ?? null, by?.name ?? null, decision, note],
  );
}
