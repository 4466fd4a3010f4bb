import "server-only";
import NextAuth from "next-auth";
import type { NextRequest } from "next/server";
import { env } from "#lib/env.ts";
import { authOptions } from "./options.ts";

interface Context {
  params: Promise<{ nextauth: string[] }>;
}

// The rest of next-auth's actions are of no use here, and `_log` lets anybody write into our log.
const ACTIONS = new Set(["callback", "csrf", "error", "signin", "signout"]);
const LARGEST_BODY = 16_384;

/** next-auth's own routes, closed to what nobody needs. */
export async function handleAuth(request: NextRequest, context: Context): Promise<Response> {
  const [action = ""] = (await context.params).nextauth;
  if (!ACTIONS.has(action)) return new Response(null, { status: 404 });
  const length = request.method === "POST" ? request.headers.get("content-length") : "0";
  if (length === null || Number(length) > LARGEST_BODY)
    return new Response(null, { status: 413 });
  const response: Response = await NextAuth(request, context, authOptions());
  makeRelative(response.headers);
  return response;
}

/** Who opened 127.0.0.1 stays there, although NEXTAUTH_URL says localhost. */
function makeRelative(headers: Headers) {
  const location = headers.get("location");
  const { origin } = new URL(env().NEXTAUTH_URL);
  if (location?.startsWith(`${origin}/`))
    headers.set("location", location.slice(origin.length));
}
