import type { PaymentTask } from "#contract/recorded-payments.ts";
import type { PaymentTaskKind } from "#contract/names.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";

export interface TaskRow {
  task_id: string;
  seller_id: number;
  kind: PaymentTaskKind;
  charge_id: string | null;
  payment_id: string | null;
  refund_id: string | null;
  subscription_id: string | null;
  account_id: number | null;
  reference: string | null;
  closed_at: Date | null;
  closed_by: string | null;
}

/** A seller's task, locked. */
export const lockTask = (database: Database, sellerId: number, taskId: string) =>
  queryRow<TaskRow>(
    database,
    `select task_id, seller_id, kind, charge_id, payment_id, refund_id, subscription_id,
       account_id, reference, closed_at, closed_by
     from payment_task where seller_id = $1 and task_id = $2 for update`,
    [sellerId, taskId],
  );

export const noteAsked = (database: Database, { task_id, seller_id }: TaskRow, at: Date) =>
  database.query(
    "update payment_task set asked_at = $3 where seller_id = $1 and task_id = $2",
    [seller_id, task_id, at],
  );

export const countOpenTasks = async (database: Database, sellerId: number) =>
  (await queryValue<number>(
    database,
    "select count(*) from payment_task where seller_id = $1 and closed_at is null",
    [sellerId],
  )) ?? 0;

/** A task as it is listed, without what follows from its kind and its provider. */
export type ListedTask = Omit<PaymentTask, "decisions" | "provider_label" | "kind"> & {
  kind: PaymentTaskKind;
  label: string | null;
  charge_id: string | null;
  /** Whether a provider can be asked about the task's payment. */
  can_ask: boolean;
};

interface Narrowed {
  task_id?: string;
  is_open?: boolean | undefined;
  subscription_id?: string | undefined;
  /** The id of the last row that was read. */
  before?: string | undefined;
}

/** A seller's tasks, newest first: by when they were opened, or closed if `is_open` is false. */
export function selectTasks(
  database: Database,
  sellerId: number,
  { task_id, is_open, subscription_id, before }: Narrowed,
  limit: number,
): Promise<ListedTask[]> {
  const values: unknown[] = [sellerId, limit];
  const at = (value: unknown) => `$${values.push(value)}`;
  const by = is_open === false ? "closed_at" : "opened_at";
  const parts = [
    is_open === undefined ? "" : ` and t.closed_at is ${is_open ? "" : "not "}null`,
    task_id === undefined ? "" : ` and t.task_id = ${at(task_id)}`,
    subscription_id === undefined ? "" : ` and t.subscription_id = ${at(subscription_id)}`,
    before === undefined
      ? ""
      : ` and (t.${by}, t.task_id) < (select ${by}, task_id from payment_task
           where seller_id = $1 and task_id = ${at(before)})`,
  ];
  return queryRows<ListedTask>(
    database,
    `select t.task_id as id, t.kind, t.subscription_id, s.full_name, p.name as product_name,
       t.payment_id, t.refund_id, a.provider, a.label, t.reference, c.transaction_id,
       t.amount::text as amount, t.currency, t.answered_amount::text as answered_amount,
       t.answered_currency, t.detail, wire_time(t.opened_at) as opened_at,
       wire_time(t.asked_at) as asked_at, wire_time(t.closed_at) as closed_at, t.closed_by,
       t.decision, t.note, t.charge_id,
       c.account_id is not null as can_ask
     from payment_task t left join subscription s using (seller_id, subscription_id)
     left join product p on p.seller_id = s.seller_id and p.product_id = s.product_id
     left join payment_account a on a.account_id = t.account_id
     left join charge c on c.seller_id = t.seller_id and c.charge_id = t.charge_id
     where t.seller_id = $1${parts.join("")}
     order by t.${by} desc, t.task_id desc limit $2`,
    values,
  );
}
