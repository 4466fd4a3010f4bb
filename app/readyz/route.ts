import { database } from "#lib/db/pool.ts";

export const dynamic = "force-dynamic";

const headers = { "cache-control": "no-store" };

export async function GET(): Promise<Response> {
  try {
    await database().query("select 1");
    return Response.json({ status: "ready" }, { headers });
  } catch {
    return Response.json({ status: "database unreachable" }, { status: 503, headers });
  }
}
