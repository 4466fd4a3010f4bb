import type { Database } from "../db/database.ts";
import { detail, notFound } from "../http/errors.ts";
import type { WriteContext } from "../http/write.ts";
import { newSecret, encryptSecret } from "./secret.ts";

/** How long the old secret also signs, so that the receiver can be changed without a gap. */
const OVERLAP = 24 * 60 * 60 * 1_000;

/**
 * Gives an endpoint a new signing secret. Spec choice, signatures: both sign for a day; a
 * second rotation within it ends the oldest at once.
 * @param now the real time, not the seller's
 * @returns the secret, which is never shown again
 * @throws 404 for an unknown endpoint or another seller's
 */
export async function rotateSecret(
  { database, seller, secretsKey }: Pick<WriteContext, "database" | "seller" | "secretsKey">,
  webhookId: number,
  now: Date,
): Promise<string> {
  if (!secretsKey)
    throw detail(503, "Secrets cannot be rotated here: SERVICE_SECRETS_KEY is not set.");
  const { seller_id } = seller;
  const secret = newSecret();
  const isKnown = await replaceSecret(database, {
    seller_id,
    id: webhookId,
    sealed_secret: encryptSecret(secretsKey, seller_id, secret),
    until: new Date(now.getTime() + OVERLAP),
  });
  if (!isKnown) throw notFound();
  return secret;
}

interface Replacement {
  seller_id: number;
  id: number;
  sealed_secret: Buffer;
  until: Date;
}

async function replaceSecret(database: Database, replacement: Replacement): Promise<boolean> {
  const { seller_id, id, sealed_secret, until } = replacement;
  const { rowCount } = await database.query(
    `update webhook set previous_sealed_secret = sealed_secret, previous_secret_until = $4,
       sealed_secret = $3
     where seller_id = $1 and id = $2`,
    [seller_id, id, sealed_secret, until],
  );
  return rowCount === 1;
}
