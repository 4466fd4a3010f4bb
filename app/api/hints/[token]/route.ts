import { database } from "#lib/db/pool.ts";
import { receiveHint } from "#lib/mirror/receive.ts";

export async function POST(
  request: Request,
  { params }: { params: Promise<{ token: string }> },
): Promise<Response> {
  const isKnown = await receiveHint(database(), (await params).token, request);
  return new Response(null, { status: isKnown ? 204 : 404 });
}
