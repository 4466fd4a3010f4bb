import "server-only";
import { createECDH, createHash } from "node:crypto";
import { lookup } from "node:dns";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import webPush from "web-push";
import {
  isMetadataAddress,
  isPrivateAddress,
  isRefusedHost,
} from "#contract/process/private-address.ts";
import { env } from "#lib/env.ts";
import { isReachableByOthers } from "#lib/exposure.ts";

/** The installation's key by which push services know it (RFC 8292). */
interface PushKey {
  /** base64url; browsers subscribe with it. */
  publicKey: string;
  privateKey: string;
  /** Identifies the key in table rows. */
  id: string;
}

/** Null if the installation has no key, so that nothing can be pushed. */
export function pushKey(): PushKey | null {
  const secret = env().WEB_PUSH_KEY;
  if (!secret) return null;
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(secret);
  const publicKey = curve.getPublicKey();
  return {
    publicKey: publicKey.toString("base64url"),
    privateKey: secret.toString("base64url"),
    id: createHash("sha256").update(publicKey).digest("hex").slice(0, 8),
  };
}

/** A browser's address at its push service, and its keys. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** `gone`: the subscription has ended. `refused`: nothing was accepted. `unknown`: no answer came. */
type PushOutcome = "accepted" | "gone" | "refused" | "unknown";

/** For trials on one machine, a push service may be at a private address, like sandbox webhooks. */
const mayBePrivate = () => !isReachableByOthers(env());

const isRefusedBy = (isPrivateAllowed: boolean) => (address: string) =>
  isMetadataAddress(address) || (!isPrivateAllowed && isPrivateAddress(address));

/** Whether pushes may be sent to this URL: the browser gives it, so it could lead to a private host. */
export function isPushEndpoint(endpoint: string, isPrivateAllowed = mayBePrivate()): boolean {
  const url = URL.parse(endpoint);
  if (!url || url.username !== "" || url.password !== "") return false;
  const isPublic = url.protocol === "https:" && ["", "8443"].includes(url.port);
  const isHttp = url.protocol === "https:" || url.protocol === "http:";
  return (
    (isPublic || (isHttp && isPrivateAllowed)) &&
    !isRefusedHost(url.hostname, isRefusedBy(isPrivateAllowed))
  );
}

class RefusedTarget extends Error {}

/** The lookup of the connection itself, so that the address that is checked is the one connected to. */
const guardedLookup: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return done(error ?? new RefusedTarget(), "");
    const isRefused = isRefusedBy(mayBePrivate());
    if (addresses.some(({ address }) => isRefused(address)))
      return done(new RefusedTarget(), "");
    if (options.all) return done(null, addresses);
    return done(null, first.address, first.family);
  });

const TIMEOUT_MS = 10_000;

/** @param ttl seconds for which the push service keeps the push for a browser that is away */
export async function pushTo(
  { endpoint, p256dh, auth }: PushTarget,
  payload: object,
  { key, ttl }: { key: PushKey; ttl: number },
): Promise<PushOutcome> {
  if (!isPushEndpoint(endpoint)) return "gone";
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(payload),
    {
      vapidDetails: {
        subject: contactOf(env()),
        publicKey: key.publicKey,
        privateKey: key.privateKey,
      },
      TTL: ttl,
      contentEncoding: "aes128gcm",
    },
  );
  const status = await post(endpoint, headers, body).catch((error: unknown) =>
    isUnreached(error) ? 0 : null,
  );
  if (status === null) return "unknown";
  if (status === 404 || status === 410) return "gone";
  return status >= 200 && status < 300 ? "accepted" : "refused";
}

/** The contact for push services; Apple's refuses an address without a domain. */
const contactOf = ({ NEXTAUTH_URL: url, MAIL_FROM: from }: ReturnType<typeof env>): string =>
  url.startsWith("https://")
    ? new URL(url).origin
    : `mailto:${/[^\s<>"]+@[^\s<>"]+/.exec(from ?? "")?.[0] ?? "duebook@example.com"}`;

/** @returns the status; redirects are not followed, and the body is not read */
function post(
  endpoint: string,
  headers: Record<string, string | number>,
  body: Buffer | null,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = (endpoint.startsWith("https:") ? httpsRequest : httpRequest)(endpoint, {
    method: "POST",
    headers,
    lookup: guardedLookup,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  request.on("error", reject);
  request.on("response", (response) => {
    response.destroy();
    resolve(response.statusCode ?? 0);
  });
  request.end(body);
  return promise;
}

const isUnreached = (error: unknown) =>
  error instanceof RefusedTarget ||
  (error instanceof Error &&
    "syscall" in error &&
    ["connect", "getaddrinfo"].includes(String(error.syscall)));
