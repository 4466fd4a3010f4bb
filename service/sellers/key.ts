import { hash, randomBytes } from "node:crypto";
import type { KeyKind } from "#contract/names.ts";

export type KeyMode = "test" | "live";

/** An API key or an account token, in its parts. */
export interface ApiKey {
  kind: KeyKind;
  mode: KeyMode;
  prefix: string;
  secret: string;
}

const STARTS: Record<KeyKind, string> = { api_key: "dbk", account_token: "dba" };
const KEY = /^(dbk|dba)_(test|live)_([0-9a-z]{12})_([\w-]{43})$/;

/** @returns null if it is not a well-formed key */
export function readKey(text: string): ApiKey | null {
  const [, start, mode, prefix, secret] = KEY.exec(text) ?? [];
  const kind = start === STARTS.api_key ? "api_key" : "account_token";
  return mode && prefix && secret ? { kind, mode: mode as KeyMode, prefix, secret } : null;
}

export function newKey(mode: KeyMode, kind: KeyKind): ApiKey {
  return {
    kind,
    mode,
    prefix: randomBytes(6).toString("hex"),
    secret: randomBytes(32).toString("base64url"),
  };
}

export const writeKey = ({ kind, mode, prefix, secret }: ApiKey) =>
  `${STARTS[kind]}_${mode}_${prefix}_${secret}`;

/** The hash of a secret. It is random and has 256 bits, so it needs no slow hash. */
export const hashSecret = (secret: string) => hash("sha256", secret, "buffer");
