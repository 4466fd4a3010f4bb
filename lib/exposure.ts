import { isLoopback } from "#contract/process/network.ts";

export type Addresses = Partial<
  Record<"HOST" | "NEXTAUTH_URL" | "TRUSTED_PROXIES", string | undefined>
>;

/** Whether other machines can reach this server. */
export function isReachableByOthers({
  HOST,
  NEXTAUTH_URL,
  TRUSTED_PROXIES,
}: Addresses): boolean {
  // A configured proxy means that other machines can connect through it.
  if ((TRUSTED_PROXIES || "0") !== "0") return true;
  const publicHost = URL.parse(NEXTAUTH_URL ?? "")?.hostname;
  return [HOST, publicHost].some(
    (host) => host !== undefined && host !== "" && !isLoopback(host),
  );
}

/** A warning if other machines can connect without TLS; otherwise null. */
export function clearTextWarning(addresses: Addresses): string | null {
  if (!isReachableByOthers(addresses) || addresses.NEXTAUTH_URL?.startsWith("https://"))
    return null;
  return "Other machines can reach this server (HOST, NEXTAUTH_URL or TRUSTED_PROXIES) without TLS. Their browsers keep no session, so only this machine can sign in. Put a proxy with TLS in front and set NEXTAUTH_URL to its https URL.";
}

/** Whether the demonstration's published password is disabled here (ADR 0224). */
export const isPublishedPasswordOff = (
  variables: Addresses & { DEMONSTRATION?: string | undefined },
): boolean => variables.DEMONSTRATION === "off" || isReachableByOthers(variables);
