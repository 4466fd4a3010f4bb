import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { foldText } from "#lib/text/fold-text.ts";
import { wordToken, phoneticToken } from "#lib/text/search-text.ts";
import { migrateDashboard } from "#lib/db/migrate.ts";
import { createPool, inLongTransaction, type Database } from "#lib/db/pool.ts";
import { termPrefix } from "#lib/search-index/records/terms.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { createIndexedSeller } from "../../testing/fixtures/records-fixture.ts";

/** Statement timeout in milliseconds for generating the rows. */
export const ROWS_TIMEOUT_MS = 60 * 60_000;

const FIRST =
  "Aarav Asha Bishnu Binod Chandra Deepak Gita Hari Janaki Kabita Laxmi Madan Maya Nabin Om Prakash Rajesh Ram Sabina Saraswati Sita Sunita Suresh Yogesh सरस्वती राम कृष्ण";
const LAST =
  "Adhikari Acharya Basnet Bhattarai Chhetri Dahal Gurung Joshi Karki Khadka Lama Limbu Magar Maharjan Paudel Pokharel Rai Shah Sharma Shrestha Tamang Thapa Yadav श्रेष्ठ";

const OTHER = ["product", "gold", "silver", "basic", "traders"].flatMap((word) => [
  wordToken(word),
  phoneticToken(word) ?? "",
]);

const OTHER_SELLERS = 1_999;
// One statement over many millions of rows keeps all that its triggers read until its end.
const ROWS_PER_STATEMENT = 500_000;

/** Calls `run` with a new database of the dashboard; prints its result and the database's size. */
export async function inNewDatabase(run: (pool: pg.Pool) => Promise<string>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const server = await startPostgres(directory, { durable: false });
  await migrateDashboard(server.url("postgres"));
  const pool = createPool(server.url("postgres"));
  try {
    process.stdout.write(await run(pool));
    const { rows } = await pool.query<{ size: string }>(
      "select pg_size_pretty(pg_database_size(current_database())) as size",
    );
    process.stdout.write(`\nThe database: ${rows[0]?.size}.\n`);
  } finally {
    await pool.end();
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Indexed subscriptions of a new seller, and `others` of 1,999 other sellers. @returns the seller */
export async function generateIndex(
  pool: pg.Pool,
  { rows, others }: { rows: number; others: number },
): Promise<KeyOwner> {
  const owner = await createIndexedSeller(pool);
  const owners: KeyOwner[] = [];
  while (others > 0 && owners.length < OTHER_SELLERS)
    owners.push(await createIndexedSeller(pool));
  await generateRows(pool, owner, [1, rows], () => true, { owners, rows: others });
  return owner;
}

/**
 * Generates indexed subscriptions of one seller in the database: a million take a minute or two. The
 * rows are the same at every run: email and phone follow from a row's number, and the PAN of a tenth.
 * Afterwards only the primary key and the requested database indexes exist.
 * @param beside rows of other sellers, distributed among them in turn
 */
export async function generateRows(
  pool: pg.Pool,
  owner: KeyOwner,
  range: readonly [number, number],
  isIndexed: (index: string) => boolean = () => true,
  beside: { owners: KeyOwner[]; rows: number } = { owners: [], rows: 0 },
): Promise<void> {
  await inLongTransaction(pool, ROWS_TIMEOUT_MS, async (client) => {
    await client.query("set local maintenance_work_mem = '512MB'");
    // Building an index over all rows is much faster than updating it row by row.
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
         from pg_index where not indisprimary
          and indrelid in ('mirror_subscription'::regclass, 'mirror_counted'::regclass)`,
    );
    for (const { name } of indexes) await client.query(`drop index ${name}`);
    await insertRows(client, beside.owners, [1, beside.rows]);
    await insertRows(client, [owner], range);
    for (const { name, definition } of indexes)
      if (isIndexed(name)) await client.query(definition);
  });
  await vacuumAndAnalyze(pool, "mirror_subscription");
}

async function insertRows(
  client: Database,
  owners: readonly KeyOwner[],
  [first, last]: readonly [number, number],
): Promise<void> {
  const [one] = owners;
  if (!one) return;
  const names = [FIRST, LAST].flatMap((words) => [
    words.split(" "),
    words.split(" ").map(foldText),
    words.split(" ").map((word) => phoneticToken(foldText(word)) ?? ""),
  ]);
  const sellers = owners.map(({ seller_id }) => seller_id);
  const prefixes = owners.map(termPrefix);
  for (let from = first; from <= last; from += ROWS_PER_STATEMENT) {
    const to = Math.min(last, from + ROWS_PER_STATEMENT - 1);
    await client.query(INSERT, [sellers, one.mode, from, ...names, prefixes, to]);
  }
  const words = names.flat().filter((word) => !/[A-Z]/.test(word));
  await client.query(
    `insert into mirror_word select seller, $2, word
       from unnest($1::uuid[]) seller, unnest($3::text[]) word on conflict do nothing`,
    [sellers, one.mode, [...new Set([...words.map(wordToken), ...OTHER])]],
  );
  await client.query(
    `insert into mirror_round (seller_id, mode, list, kind, ended_at, total)
     select seller, $2, 'subscriptions', 'fill', now(), $3::bigint from unnest($1::uuid[]) seller
     on conflict (seller_id, mode, list) do update set total = excluded.total`,
    [sellers, one.mode, Math.ceil(last / owners.length)],
  );
}

const dice = (salt: number, sides: string) =>
  `(1 + abs(hashint8extended(n, ${salt}) % ${sides}))::int`;

const INSERT = `
with drawn as (
  select n, 1 + n % cardinality($1::uuid[]) as turn, md5(n::text)::uuid::text as id,
         ${dice(1, "cardinality($4::text[])")} as f, ${dice(2, "cardinality($7::text[])")} as l,
         ${dice(3, "12")} as product, ${dice(4, "3")} as plan, ${dice(5, "6")} as status,
         '98' || (10000000 + n * 7919 % 89999999) as phone,
         'user' || n || '@example.com' as email,
         100 + ${dice(6, "60")} * 50 || '.00' as price,
         '2026-11-01T00:00:00Z'::timestamptz + interval '1 day' * ${dice(7, "60")} as next,
         '2020-01-01T00:00:00Z'::timestamptz + interval '1 minute' * n as created
    from generate_series($3::bigint, $11::bigint) as n
), named as (
  select *, ($4::text[])[f] || ' ' || ($7::text[])[l] as full_name,
         ($5::text[])[f] || ' ' || ($8::text[])[l] as name_key,
         ($6::text[])[f] as first_mark, ($9::text[])[l] as last_mark,
         'Product ' || product as product_name,
         (array['Gold', 'Silver', 'Basic'])[plan] as plan_name,
         (array['active', 'active', 'active', 'due', 'pending_checkout', 'inactive'])[status] as state,
         case when n % 10 = 0 then 100000000 + n end as pan
    from drawn
)
insert into mirror_subscription
  (seller_id, mode, id, status, full_name, name_key, phone, phone_key, email, pan_vat, product_id,
   product_name, plan_name, pbp_id, label, price, currency, current_period_start,
   current_period_end, next_billing_cycle, created_at, words, record, asked_at, read_at)
select ($1::uuid[])[turn], $2, id, state, full_name, name_key, phone, phone, email, pan::text, 'p-' || product,
       product_name, plan_name, 'pbp-1', 'Monthly', price::numeric, 'NPR', next - interval '1 month',
       next, case when status <> 5 then next end, created,
       array_to_tsvector(array(select ($10::text[])[turn] || word from unnest(array[
         '=' || ($5::text[])[f], '=' || ($8::text[])[l], first_mark, last_mark, email, 'example.com',
         'com', id, pan::text, case when pan is not null then '=traders' end,
         case when pan is not null then '~trders' end, '=product', '~produkt', product::text,
         '=' || lower(plan_name), (array['~gold', '~silber', '~bsik'])[plan], phone, '<' || reverse(phone)]) as word where word is not null)),
       jsonb_build_object(
         'subscription_id', id, 'status', state, 'is_active', status < 4,
         'client', jsonb_build_object('phone', phone, 'full_name', full_name, 'email', email,
           'address', 'Pokhara', 'shipping', null,
           'billing', case when pan is not null then jsonb_build_object('business_name',
             full_name || ' Traders', 'email', '', 'address', '', 'pan_vat', pan::text) end),
         'product', jsonb_build_object('product_id', 'p-' || product, 'name', product_name,
           'plan_name', plan_name, 'pbp_id', 'pbp-1', 'label', 'Monthly', 'price', price,
           'currency', 'NPR'),
         'current_period_start', next - interval '1 month', 'current_period_end', next,
         'next_billing_cycle', case when status <> 5 then next end, 'created_at', created),
       now(), now()
  from named`;

/** Vacuums and analyzes, as autovacuum does in time; it takes longer than the usual statement timeout. */
export async function vacuumAndAnalyze(pool: pg.Pool, table = ""): Promise<void> {
  const client = await pool.connect();
  await client.query("set statement_timeout = 0");
  const statement = { text: `vacuum analyze ${table}`, query_timeout: ROWS_TIMEOUT_MS };
  await client.query(statement);
  client.release(true);
}
