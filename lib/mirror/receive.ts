import "server-only";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import { readJson } from "#lib/billing/answer.ts";
import type { Database } from "#lib/db/pool.ts";
import { leaveHints } from "./hints.ts";
import { isId } from "./lists.ts";

const LARGEST_BODY = 100_000;

/**
 * What a webhook says, or somebody who knows its address: of the body only an id is taken, and that
 * record is read again through the API. @returns false for an address that there is not
 */
export async function receiveHint(
  db: Database,
  token: string,
  request: Pick<Request, "body">,
): Promise<boolean> {
  const owner = await findOwner(db, token);
  if (!owner) return false;
  const body = await readJson(request, LARGEST_BODY).catch(() => undefined);
  const id = subscriptionOf(body);
  if (id !== null) await leaveHints(db, owner, "subscriptions", [id]);
  return true;
}

async function findOwner(db: Database, token: string): Promise<KeyOwner | undefined> {
  if (!/^[0-9a-f]{64}$/.test(token)) return undefined;
  const { rows } = await db.query<KeyOwner>(
    "select seller_id, mode from mirror where hint_token = $1",
    [token],
  );
  return rows[0];
}

/** Beside the event, or one level below, as services send what the event is about. */
function subscriptionOf(body: unknown): string | null {
  if (typeof body !== "object" || body === null) return null;
  const inner: unknown = Reflect.get(body, "data");
  const id: unknown = Reflect.get(body, "subscription_id") ?? nested(inner);
  return typeof id === "string" && isId(id) ? id : null;
}

const nested = (inner: unknown): unknown =>
  typeof inner === "object" && inner !== null
    ? Reflect.get(inner, "subscription_id")
    : undefined;
