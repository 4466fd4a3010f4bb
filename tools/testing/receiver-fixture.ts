import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { receiveDelivery, type Arrival } from "#lib/receiver/receive.ts";
import { recheckStored } from "#lib/receiver/recheck.ts";
import { addSecret } from "#lib/billing/receiver-secrets.ts";
import { signDelivery, STANDARD_SCHEME, type SignatureScheme } from "#lib/signature.ts";
import { TEST_KEYS } from "./search-index-fixture.ts";
import { pool } from "./dashboard-database.ts";

export const SECRET = `whsec_${Buffer.from("a secret of thirty-two bytes, no?").toString("base64")}`;

export async function tokenOf({ seller_id, mode }: KeyOwner): Promise<string> {
  const { rows } = await pool.query<{ token: string }>(
    "select token from receiver where seller_id = $1 and mode = $2",
    [seller_id, mode],
  );
  return rows[0]?.token ?? "";
}

export const keepSecret = (
  owner: KeyOwner,
  secret = SECRET,
  webhook_id: number | null = null,
) => addSecret(pool, owner, { secret, webhook_id, event: null }, TEST_KEYS);

export const succeeded = (subscription_id = "sub-1") => ({
  event: "checkout.succeeded",
  subscription_id,
  old_status: "due",
  new_status: "active",
});

interface Sent {
  id?: string;
  body?: unknown;
  secret?: string;
  /** Age of the signature in seconds. */
  age?: number;
  scheme?: SignatureScheme;
}

/** A signed delivery as the service posts it. */
export async function signed({
  id = "msg-1",
  body = succeeded(),
  secret = SECRET,
  age = 0,
  scheme = STANDARD_SCHEME,
}: Sent = {}): Promise<Request> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const moment = Date.now() - age * 1_000;
  return new Request("http://localhost", {
    method: "POST",
    headers: await signDelivery({ id, body: text }, [secret], moment, scheme),
    body: text,
  });
}

export const deliverTo = (
  token: string,
  request: Request,
  keys = TEST_KEYS,
): Promise<Arrival> => receiveDelivery(pool, token, request, { keys, now: Date.now() });

export const checkAgain = (owner: KeyOwner) => recheckStored(pool, owner, TEST_KEYS);

export interface StoredDelivery {
  id: string;
  delivery_id: string | null;
  verdict: string;
  reason: string | null;
  event: string | null;
  subscription_id: string | null;
  body: string | null;
  headers: Record<string, string>;
  received_at: Date;
}

/** Oldest first. */
export async function storedDeliveriesOf({
  seller_id,
  mode,
}: KeyOwner): Promise<StoredDelivery[]> {
  const { rows } = await pool.query<StoredDelivery>(
    "select * from received_delivery where seller_id = $1 and mode = $2 order by id",
    [seller_id, mode],
  );
  return rows;
}

/** The verdict of each delivery, oldest first: `verdict` or `verdict: reason`. */
export const verdictsOf = async (owner: KeyOwner): Promise<string[]> =>
  (await storedDeliveriesOf(owner)).map(({ verdict, reason }) =>
    reason ? `${verdict}: ${reason}` : verdict,
  );

/** The number of verified payments. */
export async function countPaymentsOf({ seller_id }: KeyOwner): Promise<number> {
  const { rows } = await pool.query("select 1 from proof where seller_id = $1", [seller_id]);
  return rows.length;
}

/** An unsigned request, as anyone who knows the URL can post it. */
export const plain = (body: string, headers: Record<string, string> = {}): Request =>
  new Request("http://localhost", { method: "POST", body, headers });

export const setScheme = ({ seller_id, mode }: KeyOwner, scheme: SignatureScheme) =>
  pool.query("update receiver set scheme = $3 where seller_id = $1 and mode = $2", [
    seller_id,
    mode,
    JSON.stringify(scheme),
  ]);
