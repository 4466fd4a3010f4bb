import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { limitedSecurityLog } from "#contract/process/log.ts";
import { networkOf } from "#contract/process/network.ts";
import type { Database } from "../db/database.ts";
import { hashSecret, readKey, type ApiKey, type KeyMode } from "../sellers/key.ts";
import { findKey, type Seller } from "../sellers/store.ts";
import { ApiError, detailError } from "./errors.ts";
import { callerRequestIdOf, routeOf } from "./log.ts";
import { RateLimit } from "./rate-limit.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Spec, Authentication 5: the only routes that work before the seller is verified. */
    beforeVerification?: boolean;
  }
}

/** The limits of requests per minute; 0 for no limit. */
export interface RequestLimits {
  perKey: number;
  failedKeys: number;
}

const sellers = new WeakMap<FastifyRequest, Seller>();

/** The seller of the request's API key; every query of the request filters by its id. */
export function sellerOf(request: FastifyRequest): Seller {
  const seller = sellers.get(request);
  if (!seller) throw new Error("sellerOf() outside an authenticated route");
  return seller;
}

/** Requires an API key for every address of this scope, also for unknown ones. */
export function requireKey(
  api: FastifyInstance,
  database: Database,
  { mode, limits }: { mode: KeyMode; limits: RequestLimits },
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
    const seller = await authenticate(key, database, mode).catch((error: unknown) => {
      if (error instanceof ApiError) gate.countFailure(network);
      throw error;
    });
    gate.remember(key);
    const prefix = key?.prefix ?? "";
    refuseIfOver(requests, prefix);
    requests.count(prefix);
    if (!seller.kyc_verified && !request.routeOptions.config.beforeVerification)
      throw detailError(
        403,
        "The account of this key is not verified yet. Only the product list works until then.",
        CHALLENGE,
      );
    sellers.set(request, seller);
  };
}

async function authenticate(
  key: ApiKey | null,
  database: Database,
  mode: KeyMode,
): Promise<Seller> {
  if (!key) throw unauthorized("The Authorization header holds no well-formed API key.");
  if (key.mode !== mode)
    throw unauthorized(
      key.mode === "test"
        ? "This is a sandbox key: it works on the sandbox host only, and this is the live host."
        : "This is a live key: it works on the live host only, and this is the sandbox host.",
    );
  const found = await findKey(database, key.prefix);
  const isRight = found !== null && timingSafeEqual(found.secret_hash, hashSecret(key.secret));
  if (!isRight || !found.is_active)
    throw unauthorized("This API key is unknown or no longer active.");
  return found.seller;
}

const KEYS_REMEMBERED = 10_000;

/**
 * Blocks a network that keeps sending wrong keys before any lookup. Keys that worked earlier
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

const CHALLENGE = { "www-authenticate": "Bearer" };
const unauthorized = (text: string) => detailError(401, text, CHALLENGE);
