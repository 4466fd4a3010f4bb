import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

/** The person whom the provider reports as signed in. */
export interface ProviderPerson {
  sub: string;
  email: string;
  email_verified: boolean;
  name: string;
}

const CLIENT = { id: "duebook", secret: "client-secret" };

/** The dashboard's settings for this provider. */
export const clientSettings = (issuer: string) => ({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_NAME: "Example Staff",
});

/**
 * An OpenID Connect provider that signs `someone` in without a form, and requires PKCE, state
 * and nonce.
 */
export async function startIdentityProvider(port: number, someone: () => ProviderPerson) {
  const issuer = `http://localhost:${port}`;
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" };
  let named = issuer;
  const codes = new Map<string, { nonce: string; challenge: string; who: ProviderPerson }>();

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const json = (value: unknown, status = 200) =>
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify(value));
    const answers: Record<string, () => unknown> = {
      "/.well-known/openid-configuration": () =>
        json({
          issuer: named,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"],
        }),
      "/keys": () => json({ keys: [jwk] }),
      "/authorize": () => {
        const asked = (name: string) => url.searchParams.get(name) ?? "";
        const isComplete = ["state", "nonce", "code_challenge"].every((name) => asked(name));
        if (!isComplete) return json({ error: "state, nonce and PKCE are needed" }, 400);
        const code = randomBytes(16).toString("hex");
        const challenge = asked("code_challenge");
        codes.set(code, { nonce: asked("nonce"), challenge, who: someone() });
        const back = new URL(asked("redirect_uri"));
        back.search = new URLSearchParams({ code, state: asked("state") }).toString();
        return response.writeHead(302, { location: back.href }).end();
      },
      "/token": async () => {
        const form = new URLSearchParams(await readBody(request));
        const granted = codes.get(form.get("code") ?? "");
        const verifier = form.get("code_verifier") ?? "";
        const challenge = createHash("sha256").update(verifier).digest("base64url");
        if (granted?.challenge !== challenge) return json({ error: "invalid_grant" }, 400);
        const id_token = await new SignJWT({ ...granted.who, nonce: granted.nonce })
          .setProtectedHeader({ alg: "RS256", kid: "one" })
          .setIssuer(issuer)
          .setAudience(CLIENT.id)
          .setIssuedAt()
          .setExpirationTime("5 minutes")
          .sign(privateKey);
        return json({ access_token: "unused", token_type: "Bearer", id_token });
      },
    };
    const answer = answers[url.pathname];
    if (answer) void Promise.resolve(answer());
    else response.writeHead(404).end();
  }).listen(port, "localhost");
  await new Promise((resolve) => server.once("listening", resolve));
  /** Sets the issuer that the metadata name from then on. */
  const nameAs = (name: string) => {
    named = name;
  };
  return { issuer, nameAs, close: () => server.close() };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
  return text;
}
