import "server-only";
import { cookies } from "next/headers";
import type { Profile, User } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import * as z from "zod";
import { database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { logLine, logSecurity } from "#lib/log.ts";
import { shortLivedCookieName, readSessionSecret } from "#lib/auth/sessions/cookies.ts";
import { type Claims, linkIdentity, signInByIdentity, consumeLinkRequest } from "./identity.ts";
import type { AuthRequest } from "./handler.ts";
import { isSameIssuer, readMetadata, type Metadata } from "./oidc-issuer.ts";
import { hashNetwork } from "#lib/auth/credentials/throttle.ts";

export const OIDC_ID = "oidc";

const IdToken = z.object({
  iss: z.string(),
  sub: z.string(),
  email: z.string().max(254).optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
  name: z.string().optional(),
});
type IdToken = z.output<typeof IdToken>;

/** The name of the configured provider, for its button; null without one. */
export function oidcName(): string | null {
  return oidcProvider(null).length > 0 ? env().OIDC_NAME : null;
}

/** @param metadata null for requests that are not part of a sign-in by the provider */
export function oidcProvider(metadata: Metadata | null): OAuthConfig<IdToken>[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = env();
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return [];
  return [
    {
      id: OIDC_ID,
      name: OIDC_NAME,
      type: "oauth",
      // Not the option `wellKnown`: next-auth would fetch that URL on every request.
      ...endpointsOf(metadata),
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      // next-auth needs an id; Duebook's session is created by receiveIdentity.
      profile: ({ sub }) => ({ id: sub, sid: "" }),
    },
  ];
}

function endpointsOf(metadata: Metadata | null): Partial<OAuthConfig<IdToken>> {
  if (metadata === null) return {};
  const methods = metadata.token_endpoint_auth_methods_supported ?? [BASIC];
  return {
    issuer: metadata.issuer,
    authorization: {
      url: metadata.authorization_endpoint,
      params: { scope: "openid email profile" },
    },
    token: { url: metadata.token_endpoint },
    jwks_endpoint: metadata.jwks_uri,
    client: { token_endpoint_auth_method: methods.includes(BASIC) ? BASIC : POST },
  };
}
const POST = "client_secret_post";
const BASIC = "client_secret_basic";

/** Error codes in the sign-in page's URL; the second is next-auth's own. */
const OTHER_ISSUER = "OtherIssuer";
const NO_PROVIDER = "OAuthSignin";

/** Checks the provider before a redirect to it. @returns its metadata, or an error code */
export async function checkIdentityProvider(): Promise<
  { metadata: Metadata } | { error: string }
> {
  const { OIDC_ISSUER } = env();
  const metadata = OIDC_ISSUER ? await readMetadata(OIDC_ISSUER) : null;
  if (metadata === null) {
    if (OIDC_ISSUER) logLine("sign-in: the provider does not answer with its metadata");
    return { error: NO_PROVIDER };
  }
  if (isSameIssuer(OIDC_ISSUER ?? "", metadata.issuer)) return { metadata };
  logLine("sign-in: the provider's metadata name another issuer than OIDC_ISSUER");
  return { error: OTHER_ISSUER };
}

/** Handles the provider's answer. @returns true to continue, or the path to redirect to */
export async function receiveIdentity(
  reception: AuthRequest,
  user: User,
  profile: Profile | undefined,
): Promise<true | string> {
  const claims = claimsOf(IdToken.parse(profile));
  const { address } = reception.visit;
  const [callback, now] = [await readCallback(), new Date()];
  // The metadata may have changed since the check.
  if (!isSameIssuer(env().OIDC_ISSUER ?? "", claims.issuer))
    return toSignIn(OTHER_ISSUER, callback);
  const linking = await consumeLinkRequest(database(), await readSessionSecret(), now);
  if (linking) {
    const isLinked = await linkIdentity(database(), claims, { ...linking, address }, now);
    user.sid = linking.secret;
    return isLinked || "/go?to=/settings/account?linked=taken";
  }
  const outcome = await signInByIdentity(
    database(),
    claims,
    { visit: reception.visit, callbackPath: callback },
    now,
  );
  if (outcome.kind === "refused")
    logSecurity("sign_in.refused", { reason: "provider", network: hashNetwork(address) });
  if (outcome.kind === "signed_in") user.sid = outcome.secret;
  else if (outcome.kind === "refused" && "why" in outcome)
    return toSignIn(outcome.why, callback);
  else if (outcome.kind !== "second_factor") return toSignIn("AccessDenied", callback);
  reception.outcome = outcome;
  return outcome.kind === "signed_in" || toSignIn("SecondFactor", callback);
}

const claimsOf = ({ iss, sub, email, email_verified, name }: IdToken): Claims => ({
  issuer: iss,
  subject: sub,
  email: email ?? null,
  email_verified: email_verified ?? false,
  name: name ?? null,
});

const toSignIn = (error: string, callbackUrl: string) =>
  `/sign-in?${new URLSearchParams({ ready: "1", error, callbackUrl })}`;

/** Reads the callback path from next-auth's cookie, which `redirect` has validated. */
async function readCallback(): Promise<string> {
  return (await cookies()).get(shortLivedCookieName("callback"))?.value ?? "/";
}
