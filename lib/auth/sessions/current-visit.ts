import "server-only";
import { cookies, headers } from "next/headers";
import { challengeCookieName, deviceCookieName, readSessionSecret } from "./cookies.ts";
import { clientAddress } from "#lib/auth/client-address.ts";
import type { Visit } from "./visit.ts";

/** The visit of the current request. */
export async function currentVisit(): Promise<Visit> {
  const [sent, jar] = [await headers(), await cookies()];
  return {
    address: clientAddress(sent),
    user_agent: sent.get("user-agent"),
    device: jar.get(deviceCookieName())?.value ?? null,
    session: await readSessionSecret(),
    challenge: jar.get(challengeCookieName())?.value ?? null,
  };
}
