import { hash } from "node:crypto";
import pg from "pg";
import { openDatabases } from "../../scripts/settings.ts";
import { openPool } from "../../service/db/database.ts";
import { Desk } from "../../service/testing/desk.ts";
import { openDoor } from "../../service/testing/remote.ts";
import type { Door } from "../../service/testing/service.ts";
import { act, createOwner, knock, outcomeOf } from "../intruder.ts";
import { product } from "../product.ts";
import { duebookUrl } from "../seller.ts";
import type { Asker } from "./invent.ts";

/** In the name and the email of each buyer of the one who is not to be seen. */
const PRIVATE = "unseen-9c2e";

export interface Parties {
  asker: () => Promise<Asker>;
  /** What an answer gives away of the other seller. */
  seenOf: (text: string) => string | null;
  /** Tables in which a row of the other seller is not as it was. */
  changed: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** A seller whose owner asks for everything, and another one of whom nothing must be seen or changed. */
export async function gatherParties(): Promise<Parties> {
  const { dataDirectory, billingUrl } = product();
  const { urls, server } = await openDatabases(dataDirectory);
  const pool = openPool(urls.service);
  const door = openDoor({ urls: async () => [billingUrl], complaints: "" }, pool);
  const own = await openDesk(door, "asked", 5);
  const other = await openDesk(door, PRIVATE, 2);
  const victim = await connect("Unseen", other.desk.seller.key);
  const before = await fingerprint(urls, victim.seller, other.desk.seller.seller_id);
  let asker: Asker | null = null;

  async function newAsker(): Promise<Asker> {
    const { seller, cookie } = await connect("Asking", own.desk.seller.key);
    const { host } = new URL(duebookUrl());
    const ids = { own: own.ids, victim: { seller: victim.seller, ids: other.ids } };
    return { host, cookie, seller, ids: ids.own, victim: ids.victim };
  }
  return {
    // What was asked for may have ended the session, or the connection.
    asker: async () => (asker = asker && (await works(asker)) ? asker : await newAsker()),
    seenOf: (text) => (text.includes(PRIVATE) ? PRIVATE : null),
    changed: async () => {
      const now = await fingerprint(urls, victim.seller, other.desk.seller.seller_id);
      return Object.keys(before).filter((table) => before[table] !== now[table]);
    },
    close: async () => {
      await pool.end();
      await server?.close();
    },
  };
}

async function openDesk(door: Door, mark: string, count: number) {
  const desk = await Desk.open(door);
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const client = {
      phone: `98${String(desk.seller.seller_id).padStart(5, "0")}${String(at).padStart(3, "0")}`,
      full_name: `Maya ${mark}`,
      email: `${mark}-${at}@example.com`,
    };
    ids.push(await desk.createActive(desk.periods.monthly, client));
  }
  const endpoint_url = "http://127.0.0.1:9/hook";
  const made = await desk.post("/api/v1/webhooks/", { event: "checkout.failed", endpoint_url });
  const { results } = (await desk.call({ url: "/api/v1/customers/" })).json<{
    results: { id: number }[];
  }>();
  ids.push(String(made.json<{ id: number }>().id), ...results.map(({ id }) => String(id)));
  return { desk, ids };
}

async function connect(name: string, api_key: string) {
  const owner = await createOwner(name);
  const scope = { seller: owner.seller, mode: "test" };
  const connected = await act("connectAction", owner.seller, [scope, { api_key }], owner);
  if (outcomeOf(connected) !== "ok") throw new Error(`not connected: ${outcomeOf(connected)}`);
  return owner;
}

async function works({ seller, cookie }: Asker): Promise<boolean> {
  const answer = await knock(`/api/${seller}/test/subscriptions`, { cookie });
  await answer.body?.cancel();
  return answer.status === 200;
}

// The copy is read again from time to time, whoever asks, and how that went is noted.
const OF_THE_COPY = /^mirror/;
const NOTED = "{last_success_at}";

/** Of all rows of a seller in both databases, by table. */
async function fingerprint(
  urls: Record<"dashboard" | "service", string>,
  code: string,
  account: number,
): Promise<Record<string, string>> {
  const prints: Record<string, string> = {};
  for (const [name, url] of Object.entries(urls)) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const id =
      name === "service"
        ? account
        : (await client.query<{ id: string }>("select id from seller where code = $1", [code]))
            .rows[0]?.id;
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.table_name as name from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and c.column_name = 'seller_id'
          and t.table_type = 'BASE TABLE' order by 1`,
    );
    for (const { name: table } of tables.filter((one) => !OF_THE_COPY.test(one.name))) {
      const { rows } = await client.query<{ row: string }>(
        `select (to_jsonb(t) - $2::text[])::text as row from ${table} t
          where seller_id = $1 order by 1`,
        [id, NOTED],
      );
      prints[`${name}, ${table}`] = hash("sha256", rows.map(({ row }) => row).join("\n"));
    }
    await client.end();
  }
  return prints;
}
