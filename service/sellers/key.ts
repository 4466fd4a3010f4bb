import { hash, randomBytes } from "node:crypto";

export type KeyMode = "test" | "live";

export interface ApiKey {
  mode: KeyMode;
  prefix: string;
  secret: string;
}

const KEY = /^dbk_(test|live)_([0-9a-z]{12})_([\w-]{43})$/;

/** @returns null if it is not a well-formed key */
export function readKey(text: string): ApiKey | null {
  const [, mode, prefix, secret] = KEY.exec(text) ?? [];
  return mode && prefix && secret ? { mode: mode as KeyMode, prefix, secret } : null;
}

export function newKey(mode: KeyMode): ApiKey {
  return {
    mode,
    prefix: randomBytes(6).toString("hex"),
    secret: randomBytes(32).toString("base64url"),
  };
}

export const writeKey = ({ mode, prefix, secret }: ApiKey) => `dbk_${mode}_${prefix}_${secret}`;

/** The hash of a secret. It is random and has 256 bits, so it needs no slow hash. */
export const hashSecret = (secret: string) => hash("sha256", secret, "buffer");
