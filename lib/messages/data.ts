import "server-only";
import { requireSeller } from "#lib/auth/require-seller.ts";
import type { Scope } from "#lib/auth/scope.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { OUR_MESSAGES, type MessageKind, type Messages } from "./rules.ts";

export async function getMessages(scope: Scope): Promise<Messages> {
  const { seller } = await requireSeller(scope, "subscriptions:read");
  return readMessages(database(), seller.id);
}

/** The seller's own texts, and ours where there are none. */
export async function readMessages(db: Database, seller_id: string): Promise<Messages> {
  const { rows } = await db.query<{ kind: MessageKind; body: string }>(
    "select kind, body from message_text where seller_id = $1",
    [seller_id],
  );
  return {
    ...OUR_MESSAGES,
    ...Object.fromEntries(rows.map(({ kind, body }) => [kind, body])),
  };
}

/** Ours is not kept, so that it changes with Duebook. */
export async function saveMessage(
  db: Database,
  seller_id: string,
  { kind, body }: { kind: MessageKind; body: string },
  now = new Date(),
): Promise<void> {
  if (body === OUR_MESSAGES[kind]) {
    await db.query("delete from message_text where seller_id = $1 and kind = $2", [
      seller_id,
      kind,
    ]);
    return;
  }
  await db.query(
    `insert into message_text (seller_id, kind, body, updated_at) values ($1, $2, $3, $4)
     on conflict (seller_id, kind) do update set body = $3, updated_at = $4`,
    [seller_id, kind, body, now],
  );
}
