import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Database } from "../db/database.ts";
import { findKey, type Seller } from "../sellers/store.ts";
import { detail } from "./errors.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Spec, Authentication 5: the one kind of route that works before the seller is verified. */
    beforeVerification?: boolean;
  }
}

const sellers = new WeakMap<FastifyRequest, Seller>();

/** The seller that the request's key belongs to; every query of the request bears its id. */
export function sellerOf(request: FastifyRequest): Seller {
  const seller = sellers.get(request);
  if (!seller) throw new Error("sellerOf() outside an authenticated route");
  return seller;
}

const KEY = /^dbk_(test|live)_([0-9a-z]{12})_([\w-]{43})$/;

/** Every route of this scope, and every address in it that is none, asks for a key first. */
export function requireKey(api: FastifyInstance, database: Database, mode: "test" | "live") {
  api.addHook("onRequest", async (request) => {
    const seller = await authenticate(request.headers.authorization, database, mode);
    if (!seller.kyc_verified && !request.routeOptions.config.beforeVerification)
      throw detail(
        403,
        "The account of this key is not verified yet. Only the product list works until then.",
        CHALLENGE,
      );
    sellers.set(request, seller);
  });
}

async function authenticate(header: string | undefined, database: Database, mode: string) {
  if (header === undefined) throw unauthorized("Send an API key: Authorization: Bearer <key>.");
  const [, keyMode, prefix = "", secret = ""] =
    KEY.exec(/^Bearer +(\S+)$/i.exec(header)?.[1] ?? "") ?? [];
  if (keyMode === undefined)
    throw unauthorized("The Authorization header holds no well-formed API key.");
  if (keyMode !== mode)
    throw unauthorized(
      keyMode === "test"
        ? "This is a sandbox key: it works on the sandbox host only, and this is the live host."
        : "This is a live key: it works on the live host only, and this is the sandbox host.",
    );
  const key = await findKey(database, prefix);
  if (!key || !timingSafeEqual(key.secret_hash, hashSecret(secret)) || !key.is_active)
    throw unauthorized("This API key is unknown or no longer active.");
  return key.seller;
}

const CHALLENGE = { "www-authenticate": "Bearer" };
const unauthorized = (text: string) => detail(401, text, CHALLENGE);

/** A 256-bit random secret needs no slow hash: there is nothing to guess. */
export const hashSecret = (secret: string) => createHash("sha256").update(secret).digest();
