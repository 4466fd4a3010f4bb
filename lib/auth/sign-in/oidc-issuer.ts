import "server-only";
import * as z from "zod";

const PATIENCE = 5_000;

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
export type Metadata = z.output<typeof Metadata>;

/** Milliseconds for which metadata are kept; without any, the provider is asked again sooner. */
const KEPT = 10 * 60_000;
const ASKED_AGAIN = 1_000;

const withoutSlash = (address: string) => address.replace(/\/+$/, "");

/** Where a provider describes itself. */
export const metadataAddress = (issuer: string) =>
  `${withoutSlash(issuer)}/.well-known/openid-configuration`;

/** Whether both are the same provider: but for a slash at the end, the names are compared as they stand. */
export const isSameIssuer = (expected: string, named: string) =>
  withoutSlash(expected) === withoutSlash(named);

/** What a provider says of itself; null for one that does not answer, or not with metadata. */
async function fetchMetadata(issuer: string): Promise<Metadata | null> {
  try {
    const response = await fetch(metadataAddress(issuer), {
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE),
    });
    return Metadata.parse(await response.json());
  } catch {
    return null;
  }
}

const kept = new Map<string, { until: number; metadata: Promise<Metadata | null> }>();

/** The same, asked for once however many want to sign in. @param now milliseconds */
export function readMetadata(issuer: string, now = Date.now()): Promise<Metadata | null> {
  const known = kept.get(issuer);
  if (known && now < known.until) return known.metadata;
  const asked = { until: Number.POSITIVE_INFINITY, metadata: fetchMetadata(issuer) };
  kept.set(issuer, asked);
  void asked.metadata.then((metadata) => {
    const isRight = metadata !== null && isSameIssuer(issuer, metadata.issuer);
    asked.until = now + (isRight ? KEPT : ASKED_AGAIN);
  });
  return asked.metadata;
}

/**
 * Whether the provider calls itself what the operator calls it: the issuer of its metadata decides whose
 * word an ID token is.
 * @returns `silent` too for an answer that is no metadata
 */
export async function checkIssuer(expected: string): Promise<"same" | "other" | "silent"> {
  const metadata = await fetchMetadata(expected);
  if (metadata === null) return "silent";
  return isSameIssuer(expected, metadata.issuer) ? "same" : "other";
}
