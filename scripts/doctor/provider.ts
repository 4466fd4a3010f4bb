import { checkIssuer, metadataAddress } from "#lib/auth/sign-in/oidc-issuer.ts";
import type { Env } from "#lib/env.ts";
import { failure, note, ok, type Finding } from "./finding.ts";

/** Checks the OpenID Connect provider, if one is configured. */
export async function checkProvider({ OIDC_ISSUER }: Env): Promise<Finding[]> {
  if (!OIDC_ISSUER)
    return [note("Nobody signs in through a provider: OIDC_ISSUER is not set.")];
  const address = metadataAddress(OIDC_ISSUER);
  const answer = await checkIssuer(OIDC_ISSUER);
  if (answer === "same") return [ok("The provider calls itself what OIDC_ISSUER calls it.")];
  return [
    answer === "other"
      ? failure(
          `The metadata at ${address} name another issuer than OIDC_ISSUER, so nobody is let in through it.`,
          "Set OIDC_ISSUER to the issuer that the provider names, if it is yours.",
        )
      : failure(
          `There are no metadata of a provider at ${address}.`,
          "Start the provider, or correct OIDC_ISSUER.",
        ),
  ];
}
