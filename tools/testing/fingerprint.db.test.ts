import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { fingerprint } from "./fingerprint.ts";

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase("dashboard");
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function found(name: string) {
  const { rows } = await client.query<{ seller: string; person: string }>(
    `with s as (insert into seller (name, time_zone) values ($1, 'Asia/Kathmandu') returning id),
          u as (insert into app_user (email, name) values ($1 || '@example.com', $1) returning id),
          m as (insert into membership (user_id, seller_id, role) select u.id, s.id, 'owner' from u, s),
          l as (insert into list_columns select u.id, 'subscriptions', '{phone}' from u),
          f as (insert into second_factor (user_id, sealed_secret, key_id, confirmed_at)
                select u.id, '\\x00', 'first', now() from u)
     select s.id as seller, u.id as person from s, u`,
    [name],
  );
  return rows[0] ?? { seller: "", person: "" };
}

test.for([
  ["seller", "seller", "update seller set name = 'LeasedReceiver' where id = $1"],
  ["seller", "seller", "update seller set currency = 'INR' where id = $1"],
  ["seller", "seller", "update seller set grace_days = 90 where id = $1"],
  ["seller", "seller", "update seller set demands_second_factor = true where id = $1"],
  ["app_user", "person", "update app_user set name = 'LeasedReceiver' where id = $1"],
  ["membership", "seller", "update membership set role = 'viewer' where seller_id = $1"],
  ["second_factor", "person", "delete from second_factor where user_id = $1"],
  ["list_columns", "person", "update list_columns set shown = '{}' where user_id = $1"],
] as const)(
  "only the fingerprint of table %s changes, and only for the given %s, by the statement: %s",
  async ([table, of, statement]) => {
    const victim = await found(`victim-${crypto.randomUUID()}`);
    const other = await found(`other-${crypto.randomUUID()}`);
    const whose = [victim.seller, victim.person];
    const before = await fingerprint(database.url, whose);
    const run = (one: typeof victim) => client.query(statement, [one[of]]);
    await run(other);
    expect(await fingerprint(database.url, whose)).toEqual(before);
    await run(victim);
    const after = await fingerprint(database.url, whose);
    expect(Object.keys(after).filter((name) => after[name] !== before[name])).toEqual([table]);
  },
);
