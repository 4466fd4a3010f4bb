import { isLoopback } from "#contract/process/loopback.ts";

export type Addresses = Partial<
  Record<"HOST" | "NEXTAUTH_URL" | "TRUSTED_PROXIES", string | undefined>
>;

/** Whether anybody but this machine can come here, as far as the settings tell. */
export function isOpenToOthers({ HOST, NEXTAUTH_URL, TRUSTED_PROXIES }: Addresses): boolean {
  // A proxy stands before it for others.
  if ((TRUSTED_PROXIES || "0") !== "0") return true;
  const publicHost = URL.parse(NEXTAUTH_URL ?? "")?.hostname;
  return [HOST, publicHost].some(
    (host) => host !== undefined && host !== "" && !isLoopback(host),
  );
}

/** What is wrong where others come without TLS; null where that is not so. */
export function clearTextOf(addresses: Addresses): string | null {
  if (!isOpenToOthers(addresses) || addresses.NEXTAUTH_URL?.startsWith("https://")) return null;
  return "Others can come here (HOST, NEXTAUTH_URL or TRUSTED_PROXIES) by plain http, which anybody on the way reads: their browsers keep no session, and nobody but this machine signs in. Put a proxy with TLS before it and set NEXTAUTH_URL to its https address.";
}

/** Whether the published password opens nothing here, whoever has it (ADR 0224). */
export const isPublishedOff = (
  variables: Addresses & { DEMONSTRATION?: string | undefined },
): boolean => variables.DEMONSTRATION === "off" || isOpenToOthers(variables);
