import type pg from "pg";
import { insertKey } from "../../sellers/key-store.ts";
import { seedDemonstration } from "../../seed/seed.ts";
import type { FuzzedRecords } from "./values.ts";

/** Demonstration data to fuzz: the main seller's keys and what its requests can name. */
export async function seedFuzzedService(
  pool: pg.Pool,
): Promise<{ known: FuzzedRecords; keys: string[]; token: string }> {
  const sellers = await seedDemonstration(pool, {
    subscriptions: 250,
    branches: 35,
    now: new Date(),
    publicUrl: "http://billing.test",
    mode: "test",
    secretsKey: Buffer.alloc(32, 7),
  });
  const keys = sellers.flatMap((seller) => seller.keys.map(({ key }) => key ?? ""));
  const { rows: first } = await pool.query<{ seller_id: number }>(
    "select seller_id from seller where name = $1",
    [sellers[0]?.name],
  );
  const own = {
    seller_id: first[0]?.seller_id ?? 0,
    mode: "test" as const,
    created_at: new Date(),
  };
  const token = await insertKey(pool, { ...own, kind: "account_token" });
  const spare = [await insertKey(pool, own), await insertKey(pool, own)];
  const ids = async (query: string) => {
    const { rows } = await pool.query<{ id: string }>(query);
    return rows.map(({ id }) => id);
  };
  return {
    keys: [...keys, "", "no key at all"],
    token: token.text,
    known: {
      pbp_id: await ids("select pbp_id as id from billing_period order by 1 limit 60"),
      subscription_id: await ids(
        "select subscription_id::text as id from subscription order by seller_id, position desc limit 300",
      ),
      customer_id: await ids(
        "select id::text from customer order by seller_id, id desc limit 200",
      ),
      // Ids of states that requests of the run may save.
      state_id: ["1", "2", "3", "4", "5"],
      // Keys that no request of the run sends: the run may revoke them.
      key_id: spare.map(({ row }) => String(row.id)),
      product_id: await ids(
        "select product_id::text as id from product order by position limit 60",
      ),
      plan_id: await ids("select plan_id::text as id from plan order by 1 limit 60"),
      webhook_id: await ids("select id::text from webhook order by id desc limit 60"),
    },
  };
}
