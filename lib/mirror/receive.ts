import "server-only";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import { readJson } from "#lib/billing/answer.ts";
import type { Database } from "#lib/db/pool.ts";
import { keepEvent, readEvent } from "./events.ts";
import { leaveHints } from "./hints.ts";
import { isId } from "./lists.ts";

const LARGEST_BODY = 100_000;

/**
 * What a webhook says, or somebody who knows its address: the record that it names is read again
 * through the API, and what it said is kept for comparing only. @returns false for an address that
 * there is not
 */
export async function receiveHint(
  db: Database,
  token: string,
  request: Pick<Request, "body">,
): Promise<boolean> {
  const owner = await findOwner(db, token);
  if (!owner) return false;
  const body = await readJson(request, LARGEST_BODY).catch(() => undefined);
  const event = readEvent(body, isId);
  if (!event) return true;
  await leaveHints(db, owner, "subscriptions", [event.subscription_id]);
  await keepEvent(db, owner, event);
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
