import { database } from "#lib/db/pool.ts";
import { switchOffMail } from "#lib/notifications/store.ts";
import { readUnsubscribeToken } from "#lib/notifications/unsubscribe.ts";

const NO_STORE = { "cache-control": "no-store" };

/** Switches one kind of mail off. Mail programs (RFC 8058) and the button of the page post here. */
export async function POST(
  request: Request,
  { params }: { params: Promise<{ token: string }> },
): Promise<Response> {
  const { token } = await params;
  const meant = readUnsubscribeToken(token);
  if (!meant) return new Response(null, { status: 404, headers: NO_STORE });
  await switchOffMail(database(), meant);
  if (!new URL(request.url).searchParams.has("page"))
    return new Response(null, { status: 204, headers: NO_STORE });
  const location = `/unsubscribe/${token}?done=yes`;
  return new Response(null, { status: 303, headers: { ...NO_STORE, location } });
}

/** Opening the URL changes nothing, because programs that check mails for viruses open all URLs. */
export function GET(): Response {
  return new Response(null, { status: 405, headers: { ...NO_STORE, allow: "POST" } });
}
