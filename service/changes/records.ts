import type { RecordChange, PastChange } from "#contract/changes.ts";
import type { FeedKind } from "#contract/names.ts";
import { presentCustomer, selectCustomersOf } from "../customers/store.ts";
import type { Database } from "../db/database.ts";
import { selectPayments } from "../payments/store.ts";
import { presentProduct, selectListedProducts } from "../products/store.ts";
import type { Seller } from "../sellers/store.ts";
import { presentSubscription } from "../subscriptions/read.ts";
import { selectSubscriptions } from "../subscriptions/store.ts";
import { selectHistoryOf } from "./history.ts";
import type { ChangeRow } from "./store.ts";

type Records = Pick<RecordChange, FeedKind>;
const NONE: Records = { subscription: null, customer: null, product: null, payment: null };

/**
 * One entry for each record of these rows, in the order of their last rows, with the record as it is
 * now. Runs one query for each kind that occurs.
 */
export async function describeChanges(
  database: Database,
  seller: Seller,
  rows: readonly ChangeRow[],
): Promise<RecordChange[]> {
  const last = new Map<string, ChangeRow>();
  for (const row of rows) {
    const key = `${row.kind} ${row.id}`;
    const is_new = row.is_new || last.get(key)?.is_new === true;
    last.delete(key);
    last.set(key, { ...row, is_new });
  }
  const entries = [...last.values()];
  const found = await readRecords(database, seller, entries);
  const history = await readHistories(database, seller, rows);
  return entries.map(({ kind, id, is_new, recorded_at }) => {
    const record = found.get(`${kind} ${id}`);
    return {
      kind,
      id,
      change: record === undefined ? "gone" : is_new ? "created" : "changed",
      changed_at: recorded_at.toISOString(),
      ...NONE,
      ...record,
      history: (kind === "subscription" && history.get(id)) || [],
    };
  });
}

async function readHistories(
  database: Database,
  { seller_id }: Seller,
  rows: readonly ChangeRow[],
): Promise<Map<string, PastChange[]>> {
  const told = rows.filter(({ kind }) => kind === "subscription");
  const changes = told.length > 0 ? await selectHistoryOf(database, seller_id, told) : [];
  return Map.groupBy(changes, ({ subscription_id }) => subscription_id);
}

async function readRecords(
  database: Database,
  seller: Seller,
  rows: readonly ChangeRow[],
): Promise<Map<string, Partial<Records>>> {
  const { seller_id } = seller;
  const idsOf = (kind: FeedKind) => rows.filter((row) => row.kind === kind).map(({ id }) => id);
  const readers: {
    [Kind in FeedKind]: (ids: string[]) => Promise<[string, Records[Kind]][]>;
  } = {
    subscription: async (ids) =>
      (await selectSubscriptions(database, seller_id, ids)).map((row) => [
        row.subscription_id,
        presentSubscription(row),
      ]),
    customer: async (ids) =>
      (await selectCustomersOf(database, seller_id, ids.map(Number))).map((row) => [
        String(row.id),
        presentCustomer(row),
      ]),
    product: async (ids) =>
      (await selectListedProducts(database, seller_id, ids)).map((row) => [
        row.product_id,
        presentProduct(row),
      ]),
    payment: async (ids) =>
      (await selectPayments(database, seller, { payment_ids: ids }, ids.length)).map(
        (payment) => [payment.payment_id, payment],
      ),
  };
  const found = new Map<string, Partial<Records>>();
  for (const kind of Object.keys(readers) as FeedKind[]) {
    const ids = idsOf(kind);
    if (ids.length === 0) continue;
    for (const [id, record] of await readers[kind](ids))
      found.set(`${kind} ${id}`, { [kind]: record });
  }
  return found;
}
