import { setTimeout as delay } from "node:timers/promises";
import { encode } from "next-auth/jwt";
import type pg from "pg";
import { errorCode } from "#contract/process/log.ts";
import { createSession } from "#lib/auth/sessions/session.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { createPool, singleRow } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { registerEndpoint } from "#lib/receiver/register.ts";
import { openPool } from "../../../service/db/database.ts";
import { SellerApi } from "../../../service/testing/seller-api.ts";
import { Inbox } from "../../../service/testing/inbox.ts";
import { Shop } from "../../../service/testing/kill/shop.ts";
import { BrokenConnection } from "../../../service/testing/remote.ts";
import type { ServiceClient } from "../../../service/testing/service.ts";
import { waitUntilNoRow } from "../../../service/testing/until-none.ts";
import { browsePages, openCountingClient, type DashboardReader } from "./load.ts";
import type { Topology } from "./start.ts";
import { EventStream } from "./streams.ts";
import { OutcomeLog } from "./outcome-log.ts";

const STREAMS = 6;
const READERS = 2;
const FIRST_SALES = 25;
/** Maximum number of concurrent requests: of the shop, the seller and the readers. */
export const MAX_CONCURRENT_REQUESTS = Shop.WIDTH + 1 + READERS;

/** The clients of the topology, and the answers they got. */
export interface TopologyRun {
  topology: Topology;
  outcomeLog: OutcomeLog;
  serviceClient: ServiceClient;
  inbox: Inbox;
  /** A seller whose events go to an endpoint of this script. */
  shop: Shop;
  /** A seller whose events go to the dashboards. */
  api: SellerApi<ServiceClient>;
  owner: KeyOwner;
  reader: DashboardReader;
  pools: { service: pg.Pool; dashboard: pg.Pool; replica: pg.Pool };
  streams: EventStream[];
  /** Acknowledged subscriptions and payments of the dashboards' seller. */
  book: { created: Set<string>; paid: Set<string> };
  close: () => Promise<void>;
}

/** Starts the programs and their clients. */
export async function startRun(topology: Topology): Promise<TopologyRun> {
  const outcomeLog = new OutcomeLog();
  await topology.startService();
  const service = openPool(topology.direct.service);
  const serviceClient = openCountingClient(
    topology.apiUrl,
    retryWhileDown(service),
    outcomeLog,
  );
  const inbox = await Inbox.open();
  const shop = await Shop.open(serviceClient, inbox, 7);
  const api = await SellerApi.open(serviceClient);
  await topology.startDashboards({
    DEMO_EMAIL: "owner@example.com",
    DEMO_PASSWORD: "topology of many machines",
    BILLING_SANDBOX_API_KEY: api.seller.key,
  });
  Object.assign(process.env, topology.secrets, {
    DATABASE_URL: topology.direct.dashboard,
    NEXTAUTH_URL: topology.dashboardUrl,
    BILLING_SANDBOX_API_URL: topology.apiUrl,
  });
  const dashboard = createPool(topology.direct.dashboard);
  const replica = createPool(topology.direct.replica);
  const { owner, reader } = await signInReader(dashboard, topology.dashboardUrl);
  const { openClient } = await import("#lib/billing/open-client.ts");
  const means = { keys: encryptionKeysOf(env()), baseUrl: topology.dashboardUrl };
  await registerEndpoint(dashboard, owner, { ...means, billing: openClient(owner) });
  const run: TopologyRun = {
    topology,
    outcomeLog,
    serviceClient,
    inbox,
    shop,
    api,
    owner,
    reader,
    pools: { service, dashboard, replica },
    streams: Array.from({ length: STREAMS }, () => new EventStream(reader)),
    book: { created: new Set(), paid: new Set() },
    close: async () => {
      for (const stream of run.streams) stream.close();
      await inbox.close();
      await Promise.all([service.end(), dashboard.end(), replica.end()]);
    },
  };
  for (let sales = 0; sales < FIRST_SALES; sales += 1) await sellSubscription(run, sales);
  await waitUntilNoRow(dashboard, NOT_FILLED, "search indexes are not filled", () =>
    delay(200),
  );
  return run;
}

const NOT_FILLED = "select 1 from mirror where filled_at is null";

async function signInReader(pool: pg.Pool, url: string) {
  const { rows } = await pool.query<KeyOwner & { code: string; user_id: string }>(
    `select c.seller_id, c.mode, s.code, m.user_id
       from billing_connection c join seller s on s.id = c.seller_id
       join membership m on m.seller_id = s.id`,
  );
  const { code, user_id, ...owner } = singleRow(rows);
  const sid = await createSession(pool, { user_id });
  const token = await encode({ token: { sid }, secret: env().NEXTAUTH_SECRET });
  const cookie = `duebook.session=${token}`;
  return { owner, reader: { url, cookie, scope: `${code}/${owner.mode}` } };
}

/** Runs all clients until the signal aborts. */
export async function runClients(run: TopologyRun, signal: AbortSignal): Promise<void> {
  const { shop, outcomeLog, reader } = run;
  const selling = async () => {
    for (let sales = FIRST_SALES; !signal.aborted; sales += 1) {
      await sellSubscription(run, sales);
      await delay(100);
    }
  };
  await Promise.all([
    shop.trade(signal),
    selling(),
    ...Array.from({ length: READERS }, () => browsePages(reader, outcomeLog, signal)),
  ]);
}

/** Creates a subscription and pays it. @returns its id, or null if a request failed */
export async function sellSubscription(
  { api, book }: TopologyRun,
  sales: number,
): Promise<string | null> {
  try {
    const client = { phone: String(9_810_000_000 + sales), full_name: `Buyer ${sales}` };
    const { subscription_id } = await api.create(api.periods.monthly, client);
    book.created.add(subscription_id);
    if ((await api.pay(subscription_id)) !== "paid") return null;
    book.paid.add(subscription_id);
    return subscription_id;
  } catch (error) {
    if (error instanceof BrokenConnection) return null;
    throw error;
  }
}

/** A pool whose queries are retried while the database is down. */
function retryWhileDown(pool: pg.Pool): pg.Pool {
  const query = async (...question: [string, unknown[]?]) => {
    for (;;)
      try {
        return await pool.query(...question);
      } catch (error) {
        if (!isDatabaseDown(error)) throw error;
        await delay(250);
      }
  };
  return Object.assign(Object.create(pool) as pg.Pool, { query });
}

const isDatabaseDown = (error: unknown) =>
  /^(57P|08|E[A-Z]+)/.test(errorCode(error)) || /terminated|timeout/i.test(String(error));
