import "server-only";
import * as z from "zod";

const PATIENCE = 5_000;

const Metadata = z.object({ issuer: z.string() });

const withoutSlash = (address: string) => address.replace(/\/+$/, "");

/** Where a provider describes itself. */
export const metadataAddress = (issuer: string) =>
  `${withoutSlash(issuer)}/.well-known/openid-configuration`;

/** Whether both are the same provider: but for a slash at the end, the names are compared as they stand. */
export const isSameIssuer = (expected: string, named: string) =>
  withoutSlash(expected) === withoutSlash(named);

/**
 * Whether the provider calls itself what the operator calls it: the issuer of its metadata decides whose
 * word an ID token is.
 * @returns `silent` too for an answer that is no metadata
 */
export async function checkIssuer(expected: string): Promise<"same" | "other" | "silent"> {
  try {
    const response = await fetch(metadataAddress(expected), {
      redirect: "error",
      signal: AbortSignal.timeout(PATIENCE),
    });
    const { issuer } = Metadata.parse(await response.json());
    return isSameIssuer(expected, issuer) ? "same" : "other";
  } catch {
    return "silent";
  }
}
