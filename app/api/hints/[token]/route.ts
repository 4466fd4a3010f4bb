import { database } from "#lib/db/pool.ts";
import { receiveHint } from "#lib/mirror/receive.ts";

const NO_STORE = { "cache-control": "no-store" };

export async function POST(
  request: Request,
  { params }: { params: Promise<{ token: string }> },
): Promise<Response> {
  const isKnown = await receiveHint(database(), (await params).token, request);
  return new Response(null, { status: isKnown ? 204 : 404, headers: NO_STORE });
}

/** For whoever opens the address in a browser: nothing that could be kept. */
export function GET(): Response {
  return new Response(null, { status: 405, headers: { ...NO_STORE, allow: "POST" } });
}
