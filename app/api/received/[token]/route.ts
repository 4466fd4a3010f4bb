import { database } from "#lib/db/pool.ts";
import { encryptionKeysOf, env } from "#lib/env.ts";
import { receiveDelivery } from "#lib/receiver/receive.ts";

const NO_STORE = { "cache-control": "no-store" };
/** Seconds: there is room again for what proves nothing; a secret may open again. */
const RETRY: Partial<Record<number, string>> = { 429: "60", 503: "600" };

/** The sender's own log keeps the answer, so it says what was wrong. */
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

/** For whoever opens the address in a browser: nothing that could be kept. */
export function GET(): Response {
  return new Response(null, { status: 405, headers: { ...NO_STORE, allow: "POST" } });
}
