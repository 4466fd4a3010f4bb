import "server-only";
import * as z from "zod";

const TIMEOUT_MS = 5_000;

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});
export type Metadata = z.output<typeof Metadata>;

/** Cache time of metadata in milliseconds; a failed request is retried sooner. */
const KEPT = 10 * 60_000;
const ASKED_AGAIN = 1_000;

const withoutSlash = (address: string) => address.replace(/\/+$/, "");

/** The URL of a provider's metadata. */
export const metadataAddress = (issuer: string) =>
  `${withoutSlash(issuer)}/.well-known/openid-configuration`;

/** Whether two issuers are the same; only a trailing slash is ignored. */
export const isSameIssuer = (expected: string, named: string) =>
  withoutSlash(expected) === withoutSlash(named);

/** A provider's metadata; null if it does not answer with valid metadata. */
async function fetchMetadata(issuer: string): Promise<Metadata | null> {
  try {
    const response = await fetch(metadataAddress(issuer), {
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return Metadata.parse(await response.json());
  } catch {
    return null;
  }
}

const kept = new Map<string, { until: number; metadata: Promise<Metadata | null> }>();

/** Cached metadata; concurrent sign-ins share one request. @param now milliseconds */
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
 * Whether the issuer in the provider's metadata is the configured one, because ID tokens are checked against it.
 * @returns `silent` also for an answer without valid metadata
 */
export async function checkIssuer(expected: string): Promise<"same" | "other" | "silent"> {
  const metadata = await fetchMetadata(expected);
  if (metadata === null) return "silent";
  return isSameIssuer(expected, metadata.issuer) ? "same" : "other";
}
