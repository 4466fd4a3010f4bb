import "server-only";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { AppError } from "#lib/failure.ts";
import { database } from "#lib/db/pool.ts";
import { directDatabaseUrl } from "#lib/env.ts";
import { Hub } from "./hub.ts";
import { Streams } from "./streams.ts";

interface Live {
  hub: Hub;
  streams: Streams;
}

// On globalThis, so that a module reloaded in development listens only once.
const shared = globalThis as typeof globalThis & { duebookLive?: Live };

/** Starts listening with the first stream. */
function live(): Live {
  if (shared.duebookLive) return shared.duebookLive;
  const hub = new Hub(directDatabaseUrl());
  const streams = new Streams(hub, database());
  // A server waits for open responses when it shuts down.
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      streams.close();
      void hub.close();
    });
  return (shared.duebookLive = { hub, streams });
}

/** How many streams this process has open. */
export const countStreams = (): number => shared.duebookLive?.streams.count ?? 0;

/** Proxies must not cache, compress or buffer the stream. */
const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-store, no-transform",
  "x-accel-buffering": "no",
};

const TOO_MANY_SECONDS = 60;

/** Server-sent events about this seller's records, until either side closes. */
export async function openLive(scope: Scope, request: Request): Promise<Response> {
  const { owner, session } = await requireSeller(scope, "subscriptions:read");
  const { searchParams } = new URL(request.url);
  // Browsers send the header when they reconnect; pages send the parameters when they open a stream.
  const after = request.headers.get("last-event-id") ?? searchParams.get("after");
  const since = Date.parse(searchParams.get("since") ?? "");
  const stream = live().streams.open(
    { owner, user_id: session.user.id, session_id: session.id },
    {
      after: after !== null && /^\d{1,15}$/.test(after) ? Number(after) : null,
      since: Number.isNaN(since) ? null : since,
    },
  );
  if (!stream) throw new AppError({ kind: "rate_limited", retry_after: TOO_MANY_SECONDS });
  return new Response(stream, { headers: HEADERS });
}
