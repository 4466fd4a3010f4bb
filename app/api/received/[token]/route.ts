import { database } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { receiveDelivery } from "#lib/receiver/receive.ts";

const NO_STORE = { "cache-control": "no-store" };
/**
 * Retry-After in seconds: 429 after too many unverified deliveries, 503 when a signing secret cannot be
 * decrypted or an unverified body is too long to store.
 */
const RETRY: Partial<Record<number, string>> = { 429: "60", 503: "600" };

/** Receives a delivery. The response contains the reason for a refusal, for the sender's log. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ token: string }> },
): Promise<Response> {
  const { token } = await params;
  const clock = { keys: encryptionKeysOf(env()), now: Date.now() };
  const { status, reason } = await receiveDelivery(database(), token, request, clock);
  if (status === 204) return new Response(null, { status, headers: NO_STORE });
  const retry = RETRY[status];
  const headers = { ...NO_STORE, ...(retry && { "retry-after": retry }) };
  return Response.json({ reason }, { status, headers });
}

/** Answers a person who opens the URL in a browser. */
export function GET(): Response {
  return new Response(null, { status: 405, headers: { ...NO_STORE, allow: "POST" } });
}
