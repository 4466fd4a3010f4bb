import { expect } from "@playwright/test";
import { openDatabases } from "#scripts/process/settings.ts";
import { fingerprint } from "../../testing/fingerprint.ts";
import { openPool } from "../../../service/db/database.ts";
import { SellerApi } from "../../../service/testing/seller-api.ts";
import { openClient } from "../../../service/testing/remote.ts";
import type { ServiceClient } from "../../../service/testing/service.ts";
import {
  callActionByName,
  createOwner,
  sendRequest,
  actionOutcomeOf,
} from "../../../e2e/support/intruder.ts";
import { inDashboardDatabase } from "../../../e2e/support/person.ts";
import { productOfWorker } from "../../../e2e/support/product.ts";
import { duebookUrl } from "../../../e2e/support/seller.ts";
import type { FuzzIdentity } from "./generate.ts";

/** A mark in the names of the other seller, its owner and its buyers, and in the buyers' emails. */
const PRIVATE = "unseen-9c2e";

export interface FuzzSellers {
  identity: () => Promise<FuzzIdentity>;
  /** The other seller's data that an answer shows and the request did not contain. */
  seenOf: (text: string, asked: string) => string | null;
  /** Tables in which a row of the other seller has changed. */
  changed: () => Promise<string[]>;
  close: () => Promise<void>;
}

/** Creates the seller whose owner sends the requests, and another seller whose data must stay hidden and unchanged. */
export async function createFuzzSellers(): Promise<FuzzSellers> {
  const { dataDirectory, billingUrl } = productOfWorker();
  const { urls, server } = await openDatabases(dataDirectory);
  const pool = openPool(urls.service);
  const serviceClient = openClient({ urls: async () => [billingUrl], complaints: "" }, pool);
  const own = await openSellerApi(serviceClient, "asked", 5);
  const other = await openSellerApi(serviceClient, PRIVATE, 3);
  const victim = await connect(`Owner ${PRIVATE}`, other.api.seller.key);
  const owners = {
    dashboard: await addOwnRecords(victim),
    service: [String(other.api.seller.seller_id)],
  };
  // No request contains this record's id, so the id can only leak from the database.
  const [unnamed = "", ...named] = other.ids;
  const secrets = [PRIVATE, ...other.phones, unnamed, other.api.seller.key, victim.email];
  const look = async () => {
    const prints: Record<string, string> = {};
    for (const name of ["dashboard", "service"] as const)
      for (const [table, print] of Object.entries(await fingerprint(urls[name], owners[name])))
        prints[`${name}, ${table}`] = print;
    return prints;
  };
  const before = await look();
  let identity: FuzzIdentity | null = null;

  async function newIdentity(): Promise<FuzzIdentity> {
    const { seller, cookie } = await connect("Asking", own.api.seller.key);
    const { host } = new URL(duebookUrl());
    const ids = { own: own.ids, victim: { seller: victim.seller, ids: named } };
    return { host, cookie, seller, ids: ids.own, victim: ids.victim };
  }
  return {
    // Renewed, because a request may have ended the session or removed the connection.
    identity: async () =>
      (identity = identity && (await isSignedIn(identity)) ? identity : await newIdentity()),
    seenOf: (text, asked) =>
      secrets.find((one) => text.includes(one) && !asked.includes(one)) ?? null,
    changed: async () => {
      const now = await look();
      return Object.keys(before).filter((table) => before[table] !== now[table]);
    },
    close: async () => {
      await pool.end();
      await server?.close();
    },
  };
}

async function openSellerApi(serviceClient: ServiceClient, mark: string, count: number) {
  const api = await SellerApi.open(serviceClient);
  const ids: string[] = [];
  const phones: string[] = [];
  for (let at = 0; at < count; at += 1) {
    const client = {
      phone: `98${String(api.seller.seller_id).padStart(5, "0")}${String(at).padStart(3, "0")}`,
      full_name: `Maya ${mark}`,
      email: `${mark}-${at}@example.com`,
    };
    ids.push(await api.createActive(api.periods.monthly, client));
    phones.push(client.phone);
  }
  const endpoint_url = "http://127.0.0.1:9/hook";
  const made = await api.post("/api/v1/webhooks/", { event: "checkout.failed", endpoint_url });
  const { results } = (await api.call({ url: "/api/v1/customers/" })).json<{
    results: { id: number }[];
  }>();
  ids.push(String(made.json<{ id: number }>().id), ...results.map(({ id }) => String(id)));
  return { api, ids, phones };
}

async function connect(name: string, api_key: string) {
  const owner = await createOwner(name);
  const scope = { seller: owner.seller, mode: "test" };
  const connected = await callActionByName(
    "connectAction",
    owner.seller,
    [scope, { api_key }],
    owner,
  );
  if (actionOutcomeOf(connected) !== "ok")
    throw new Error(`the seller was not connected: ${actionOutcomeOf(connected)}`);
  return owner;
}

/** Gives the owner records of each kind, so that a change shows. @returns the ids of seller and owner */
async function addOwnRecords({ seller, email }: Awaited<ReturnType<typeof connect>>) {
  const [found] = await inDashboardDatabase(
    `with u as (select id from app_user where email = $2),
          c as (select s.id, c.key_id from seller s join billing_connection c on c.seller_id = s.id
                 where s.code = $1),
          l as (insert into list_columns (user_id, list, shown)
                select id, 'subscriptions', '{phone}' from u),
          f as (insert into second_factor (user_id, sealed_secret, key_id, confirmed_at)
                select u.id, '\\x00', c.key_id, now() from u, c)
     select c.id as seller, u.id as person from c, u`,
    [seller, email],
  );
  await expect
    .poll(
      () =>
        inDashboardDatabase(
          "select 1 from receiver where seller_id = $1 and registered_at is not null",
          [found?.["seller"]],
        ),
      { message: "the dashboard registers its receiver by itself", timeout: 30_000 },
    )
    .toHaveLength(1);
  return [String(found?.["seller"]), String(found?.["person"])];
}

async function isSignedIn({ seller, cookie }: FuzzIdentity): Promise<boolean> {
  const answer = await sendRequest(`/api/${seller}/test/subscriptions`, { cookie });
  await answer.body?.cancel();
  return answer.status === 200;
}
