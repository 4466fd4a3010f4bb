import "server-only";
import { cookies } from "next/headers";
import type { Profile, User } from "next-auth";
import type { OAuthConfig } from "next-auth/providers/oauth";
import * as z from "zod";
import { database } from "#lib/db/pool.ts";
import { env } from "#lib/env.ts";
import { logLine, logSecurity } from "#lib/log.ts";
import { passingCookieName, readSessionSecret } from "./cookies.ts";
import { takeLinking } from "./linking.ts";
import { linkIdentity, signInByIdentity, type Claims } from "./identity.ts";
import type { Reception } from "./options.ts";
import { checkIssuer, isSameIssuer, metadataAddress } from "./oidc-issuer.ts";
import { mayRegister } from "./register.ts";
import { networkMark } from "./throttle.ts";

export const OIDC_ID = "oidc";

const IdToken = z.object({
  iss: z.string(),
  sub: z.string(),
  email: z.string().max(254).optional(),
  email_verified: z.union([z.boolean(), z.stringbool()]).optional(),
  name: z.string().optional(),
});
type IdToken = z.output<typeof IdToken>;

/** The operator's provider, if the environment names one: what its button says. */
export function oidcName(): string | null {
  return oidcProvider().length > 0 ? env().OIDC_NAME : null;
}

export function oidcProvider(): OAuthConfig<IdToken>[] {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME } = env();
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return [];
  return [
    {
      id: OIDC_ID,
      name: OIDC_NAME,
      type: "oauth",
      wellKnown: metadataAddress(OIDC_ISSUER),
      clientId: OIDC_CLIENT_ID,
      clientSecret: OIDC_CLIENT_SECRET,
      authorization: { params: { scope: "openid email profile" } },
      idToken: true,
      checks: ["pkce", "state", "nonce"],
      // The session is made in receiveIdentity; until then it has none.
      profile: ({ sub }) => ({ id: sub, sid: "" }),
    },
  ];
}

/** The word for it in the address of the sign-in page. */
export const OTHER_ISSUER = "OtherIssuer";

/** Before anybody or a code is sent there. One that does not answer is found out by next-auth. */
export async function isOtherIssuer(): Promise<boolean> {
  const { OIDC_ISSUER } = env();
  if (!OIDC_ISSUER || (await checkIssuer(OIDC_ISSUER)) !== "other") return false;
  logLine("sign-in: the provider's metadata name another issuer than OIDC_ISSUER");
  return true;
}

/** After the provider has said who it is. @returns true to go in, or where to go instead */
export async function receiveIdentity(
  reception: Reception,
  user: User,
  profile: Profile | undefined,
): Promise<true | string> {
  const claims = claimsOf(IdToken.parse(profile));
  const { address } = reception.visit;
  const [callback, now] = [await readCallback(), new Date()];
  // Its metadata may have changed after they were looked at.
  if (!isSameIssuer(env().OIDC_ISSUER ?? "", claims.issuer))
    return toSignIn(OTHER_ISSUER, callback);
  const linking = await takeLinking(database(), await readSessionSecret(), now);
  if (linking) {
    const isLinked = await linkIdentity(database(), claims, { ...linking, address }, now);
    user.sid = linking.secret;
    return isLinked || "/go?to=/settings/account?linked=taken";
  }
  const outcome = await signInByIdentity(
    database(),
    claims,
    { visit: reception.visit, mayRegister: await mayRegister(database(), callback, now) },
    now,
  );
  if (outcome.kind === "refused")
    logSecurity("sign_in.refused", { reason: "provider", network: networkMark(address) });
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

/** next-auth keeps it over the visit at the provider, and lets in only what `redirect` passed. */
async function readCallback(): Promise<string> {
  return (await cookies()).get(passingCookieName("callback"))?.value ?? "/";
}
