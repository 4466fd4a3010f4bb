import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { limitedSecurityLog } from "#contract/process/log.ts";
import { networkOf } from "#contract/process/network.ts";
import type { Database } from "../db/database.ts";
import { hashSecret, readKey, type ApiKey, type KeyMode } from "../sellers/key.ts";
import { findKey, keyStateOf, noteUse, type FoundKey } from "../sellers/key-store.ts";
import type { Seller } from "../sellers/store.ts";
import { accessOf, requireScope } from "./access.ts";
import { ApiError, detailError } from "./errors.ts";
import { callerRequestIdOf, routeOf } from "./log.ts";
import { RateLimit } from "./rate-limit.ts";

/** The limits of requests per minute; 0 for no limit. */
export interface RequestLimits {
  perKey: number;
  failedKeys: number;
}

const credentials = new WeakMap<FastifyRequest, FoundKey>();

/** The API key or account token of the request. */
export function credentialOf(request: FastifyRequest): FoundKey {
  const credential = credentials.get(request);
  if (!credential) throw new Error("credentialOf() was called outside an authenticated route");
  return credential;
}

/** The seller of the request's credential; every query of the request filters by its id. */
export const sellerOf = (request: FastifyRequest): Seller => credentialOf(request).seller;

/**
 * Requires a credential for every address of this prefix, also for unknown ones: an API key, or
 * the account token where the prefix accepts it.
 */
export function requireKey(
  api: FastifyInstance,
  database: Database,
  {
    mode,
    limits,
    now,
    acceptsToken,
  }: { mode: KeyMode; limits: RequestLimits; now: () => Date; acceptsToken: boolean },
) {
  const requests = new RateLimit(limits.perKey);
  const gate = new FailedKeyGate(limits.failedKeys);
  const tell = limitedSecurityLog((event, fields) =>
    api.log.warn({ event, ...fields }, "security event"),
  );

  api.addHook("onRequest", async (request) => {
    await admit(request).catch((error: unknown) => {
      if (error instanceof ApiError && error.status !== 403)
        tell(error.status === 429 ? "limit.reached" : "key.refused", {
          request: request.id,
          ...callerRequestIdOf(request.raw),
          route: routeOf(request),
          status: error.status,
        });
      throw error;
    });
  });

  const admit = async (request: FastifyRequest) => {
    const { authorization } = request.headers;
    if (authorization === undefined)
      throw unauthorized("Send an API key: Authorization: Bearer <key>.");
    const key = readKey(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "");
    const network = networkOf(request.ip);
    gate.check(network, key);
    const found = await authenticate(key, database, { mode, now: now(), acceptsToken }).catch(
      (error: unknown) => {
        if (error instanceof ApiError) gate.countFailure(network);
        throw error;
      },
    );
    gate.remember(key);
    const prefix = key?.prefix ?? "";
    refuseIfOver(requests, prefix);
    requests.count(prefix);
    const { last_used_at } = found;
    await noteUse(database, { prefix, last_used_at }, { at: now(), address: request.ip });
    const { method, routeOptions } = request;
    const access = routeOptions.url === undefined ? null : accessOf(method, routeOptions.url);
    if (access && found.kind === "api_key") requireScope(found.scopes, access);
    const { seller, is_suspended } = found;
    if (!seller.kyc_verified && !access?.beforeVerification)
      throw detailError(403, closedText(is_suspended, acceptsToken), CHALLENGE);
    credentials.set(request, found);
  };
}

async function authenticate(
  key: ApiKey | null,
  database: Database,
  { mode, now, acceptsToken }: { mode: KeyMode; now: Date; acceptsToken: boolean },
): Promise<FoundKey> {
  if (!key) throw unauthorized("The Authorization header holds no well-formed API key.");
  if (key.kind === "account_token" && !acceptsToken)
    throw unauthorized(
      "This is an account token: it works under /account/v1/ only. Send an API key.",
    );
  if (key.mode !== mode)
    throw unauthorized(
      key.mode === "test"
        ? "This is a sandbox key: it works on the sandbox host only, and this is the live host."
        : "This is a live key: it works on the live host only, and this is the sandbox host.",
    );
  const found = await findKey(database, key.prefix);
  const isRight =
    found !== null &&
    timingSafeEqual(found.secret_hash, hashSecret(key.secret)) &&
    found.kind === key.kind;
  const state = isRight ? keyStateOf(found, now) : "revoked";
  if (!isRight || state === "revoked")
    throw unauthorized("This API key is unknown or no longer active.");
  if (state === "expired") throw unauthorized("This API key has expired.");
  return found;
}

/**
 * Requires a token that belongs to no account.
 * @param refusal the answer to all others
 */
export function requireSharedToken(api: FastifyInstance, token: string, refusal: string) {
  const expected = hashSecret(token);
  api.addHook("onRequest", async ({ headers: { authorization = "" } }) => {
    const given = /^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? "";
    if (!timingSafeEqual(hashSecret(given), expected)) throw unauthorized(refusal);
  });
}

const KEYS_REMEMBERED = 10_000;

/**
 * Blocks a network that keeps sending wrong keys, without a lookup. Keys that worked earlier
 * still pass: one faulty program must not lock out the others of the same network.
 */
class FailedKeyGate {
  private readonly failures: RateLimit;
  private readonly good = new Set<string>();

  constructor(perMinute: number) {
    this.failures = new RateLimit(perMinute);
  }

  check(network: string, key: ApiKey | null) {
    if (this.failures.waitOf(network) === 0) return;
    const isGood = key !== null && this.good.has(fingerprint(key));
    if (!isGood) refuseIfOver(this.failures, network);
  }

  countFailure(network: string) {
    this.failures.count(network);
  }

  remember(key: ApiKey | null) {
    if (!key) return;
    if (this.good.size >= KEYS_REMEMBERED) this.good.clear();
    this.good.add(fingerprint(key));
  }
}

const fingerprint = ({ prefix, secret }: ApiKey) =>
  `${prefix} ${hashSecret(secret).toString("base64")}`;

function refuseIfOver(limit: RateLimit, name: string) {
  const wait = limit.waitOf(name);
  if (wait > 0)
    throw detailError(429, `Too many requests. Try again in ${wait} s.`, {
      "retry-after": String(wait),
    });
}

function closedText(isSuspended: boolean, isAccountApi: boolean): string {
  const works = isAccountApi
    ? "its profile, verification, catalogue and keys can be read"
    : "the product list works";
  return isSuspended
    ? `The account of this key is suspended. Only ${works} meanwhile.`
    : `The account of this key is not verified yet. Only ${works} until then.`;
}

const CHALLENGE = { "www-authenticate": "Bearer" };
const unauthorized = (text: string) => detailError(401, text, CHALLENGE);
