import "server-only";
import { createHash, randomBytes } from "node:crypto";
import type { Mode } from "#lib/scope.ts";
import { openSecret, SEAL_BYTES, sealSecret } from "#lib/crypto/sealed-secret.ts";

/** Whose key it is: bound into the seal, so that a row moved to another seller does not open. */
export interface KeyOwner {
  seller_id: string;
  mode: Mode;
}

/** The key in use, which seals; after it those that are still accepted while it is being changed. */
export type EncryptionKeys = readonly [Buffer, ...Buffer[]];

const WRAPPED_KEY = 32 + SEAL_BYTES;

/** What else is sealed for the same owner bears a name, so that neither opens in the other's place. */
export interface SealedFor extends KeyOwner {
  purpose?: "receiver";
}

const contextOf = ({ seller_id, mode, purpose }: SealedFor) =>
  [seller_id, mode, ...(purpose ? [purpose] : [])].join(":");

/** Names the encryption key in a row without giving it away. */
export function keyIdOf(encryptionKey: Buffer): string {
  return createHash("sha256").update(encryptionKey).digest("hex").slice(0, 8);
}

/**
 * Envelope: a fresh data key seals the API key, the encryption key seals the data key. A change of
 * the encryption key then wraps 32 bytes again and never opens the API key.
 */
export function sealApiKey(apiKey: string, owner: SealedFor, encryptionKey: Buffer): Buffer {
  const dataKey = randomBytes(32);
  return Buffer.concat([
    sealSecret(dataKey, encryptionKey, contextOf(owner)),
    sealSecret(Buffer.from(apiKey), dataKey, contextOf(owner)),
  ]);
}

/** @throws when the seal was made for another owner, with another key, or was touched. */
export function openApiKey(sealed: Buffer, owner: SealedFor, encryptionKey: Buffer): string {
  const dataKey = openSecret(sealed.subarray(0, WRAPPED_KEY), encryptionKey, contextOf(owner));
  return openSecret(sealed.subarray(WRAPPED_KEY), dataKey, contextOf(owner)).toString();
}

/** The key among these that sealed a row, or undefined. */
export function encryptionKeyOf(key_id: string, keys: EncryptionKeys): Buffer | undefined {
  return keys.find((key) => keyIdOf(key) === key_id);
}

/** Seals the data key anew and leaves the API key as it is. @throws as openApiKey does */
export function rewrapApiKey(
  sealed: Buffer,
  owner: SealedFor,
  from: Buffer,
  to: Buffer,
): Buffer {
  const dataKey = openSecret(sealed.subarray(0, WRAPPED_KEY), from, contextOf(owner));
  return Buffer.concat([
    sealSecret(dataKey, to, contextOf(owner)),
    sealed.subarray(WRAPPED_KEY),
  ]);
}
