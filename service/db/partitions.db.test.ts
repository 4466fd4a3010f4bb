import { expect, test } from "vitest";
import { IS_PARTITIONED } from "#tools/testing/database.ts";
import { runAdmin } from "../testing/admin.ts";
import { createCatalogue, testBuyer } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();

const TABLES = `select c.oid, c.relname as name from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attname = 'seller_id'
  where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    and c.relname not in ('seller', 'api_key', 'directory', 'payment_account')`;

async function rowsOfTables() {
  const { rows } = await service.pool.query<{ name: string }>(TABLES);
  const counts: Record<string, unknown> = {};
  for (const { name } of rows) {
    const { rows: found } = await service.pool.query(
      `select count(*)::int, md5(string_agg(t::text, '|' order by t::text)) from ${name} t`,
    );
    counts[name] = found[0];
  }
  return counts;
}

/** The keys of partitioned tables without the seller, and the foreign keys among them. */
const WITHOUT_SELLER = `with of_seller as (${TABLES})
  select k.conname as key from pg_constraint k join of_seller t on t.oid = k.conrelid
  where k.contype in ('p', 'u', 'f')
    and (k.contype <> 'f' or k.confrelid in (select oid from of_seller))
    and not exists (select from pg_attribute a where a.attrelid = k.conrelid
      and a.attnum = any (k.conkey) and a.attname = 'seller_id')
  union all
  select i.indexrelid::regclass::text from pg_index i join of_seller t on t.oid = i.indrelid
  where i.indisunique and not exists (select from pg_attribute a where a.attrelid = i.indrelid
    and a.attnum = any (i.indkey) and a.attname = 'seller_id')`;

interface Plan {
  "Relation Name"?: string;
  "Actual Loops": number;
  Plans?: Plan[];
}

const scannedIn = ({ Plans = [], ...plan }: Plan): string[] => [
  ...(plan["Relation Name"] && plan["Actual Loops"] > 0 ? [plan["Relation Name"]] : []),
  ...Plans.flatMap(scannedIn),
];

test.skipIf(IS_PARTITIONED)(
  "dividing tables into partitions by seller keeps every row, puts the seller in every key, and changes no answer",
  async () => {
    const words = ["seed", "--subscriptions", "300", "--history", "--json"];
    const { output } = await runAdmin(service.databaseUrl, words);
    const { sellers } = JSON.parse(output) as { sellers: { keys: { key: string }[] }[] };
    const list = async () => {
      const headers = { authorization: `Bearer ${sellers[0]?.keys[0]?.key}` };
      const url = "/api/v1/subscriptions/?status=due";
      return (await service.app.inject({ url, headers })).json<{ count: number }>();
    };
    const [rows, page] = [await rowsOfTables(), await list()];
    expect(page.count).toBeGreaterThan(5);

    const divided = await runAdmin(service.databaseUrl, ["partition", "--partitions", "4"]);
    expect(divided).toMatchObject({ code: 0, complaint: "" });
    expect(divided.output).toBe(
      `${Object.keys(rows).length} tables have 4 partitions each now.`,
    );
    expect(await rowsOfTables()).toEqual(rows);
    expect((await service.pool.query(WITHOUT_SELLER)).rows).toEqual([]);
    expect(await list()).toEqual(page);

    const again = await runAdmin(service.databaseUrl, ["partition", "--partitions", "4"]);
    expect(again.output).toBe("All tables have their partitions already.");
    const other = await runAdmin(service.databaseUrl, ["partition", "--partitions", "8"]);
    expect(other).toMatchObject({ code: 1 });
    expect(other.complaint).toContain("4 partitions already");

    const { rows: plans } = await service.pool.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
      `explain (analyze, format json) select from subscription s
       join payment p using (seller_id, subscription_id) where s.seller_id = $1`,
      [1],
    );
    const scanned = scannedIn(plans[0]?.["QUERY PLAN"][0].Plan as Plan);
    expect(new Set(scanned.map((name) => name.replace(/.*__p/, ""))).size).toBe(1);
  },
);

test("with partitioned tables, a new subscription is found by its checkout URL, and its customer gets the next id", async () => {
  const seller = await service.createSeller();
  const { monthly } = await createCatalogue(service, seller);
  const order = { pbp_id: monthly, return_url: "https://shop.example/", client: testBuyer() };
  const sold = await service.call(seller, {
    method: "POST",
    url: "/api/v1/subscriptions/",
    payload: order,
  });
  expect(sold.statusCode).toBe(201);
  const { checkout_url } = sold.json<{ checkout_url: string }>();
  const page = await service.app.inject(new URL(checkout_url).pathname);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain("Milk");
  const { rows } = await service.pool.query("select id from customer order by id desc limit 2");
  expect(rows[0].id).toBe((rows[1]?.id ?? 0) + 1);
});
