import "server-only";
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import type { Mode } from "#lib/scope.ts";

/** The owner is part of the encryption, so a row that was moved to another seller does not open. */
export interface KeyOwner {
  seller_id: string;
  mode: Mode;
}

/** The key that encrypts, then keys that are still accepted while it is being changed. */
export type EncryptionKeys = readonly [Buffer, ...Buffer[]];

/**
 * The owner of a secret. Secrets other than the API key have a purpose, so that one cannot be
 * decrypted as another.
 */
export interface SecretOwner extends KeyOwner {
  purpose?: "receiver" | "account" | "messages";
}

const CIPHER = "aes-256-gcm";
const NONCE = 12;
const TAG = 16;
const WRAPPED_KEY = NONCE + 32 + TAG;

const contextOf = ({ seller_id, mode, purpose }: SecretOwner) =>
  [seller_id, mode, ...(purpose ? [purpose] : [])].join(":");

/** Identifies an encryption key in a row without revealing it. */
export function encryptionKeyIdOf(encryptionKey: Buffer): string {
  return createHash("sha256").update(encryptionKey).digest("hex").slice(0, 8);
}

/**
 * Envelope encryption: a new data key encrypts the API key, the encryption key encrypts the data key.
 * A change of the encryption key then encrypts only the data key again and never opens the API key.
 */
export function sealApiKey(apiKey: string, owner: SecretOwner, encryptionKey: Buffer): Buffer {
  const dataKey = randomBytes(32);
  return Buffer.concat([
    sealSecret(dataKey, encryptionKey, contextOf(owner)),
    sealSecret(Buffer.from(apiKey), dataKey, contextOf(owner)),
  ]);
}

/** @throws for another owner, another key, or changed bytes */
export function openApiKey(sealed: Buffer, owner: SecretOwner, encryptionKey: Buffer): string {
  const dataKey = openSecret(sealed.subarray(0, WRAPPED_KEY), encryptionKey, contextOf(owner));
  return openSecret(sealed.subarray(WRAPPED_KEY), dataKey, contextOf(owner)).toString();
}

/** Encrypts the data key again and leaves the API key as it is. @throws as openApiKey does */
function rewrapApiKey(sealed: Buffer, owner: SecretOwner, from: Buffer, to: Buffer): Buffer {
  const dataKey = openSecret(sealed.subarray(0, WRAPPED_KEY), from, contextOf(owner));
  return Buffer.concat([
    sealSecret(dataKey, to, contextOf(owner)),
    sealed.subarray(WRAPPED_KEY),
  ]);
}

/** The key among these that encrypted a row, or undefined. */
export function encryptionKeyOf(key_id: string, keys: EncryptionKeys): Buffer | undefined {
  return keys.find((key) => encryptionKeyIdOf(key) === key_id);
}

/** The secret of a row; null if its key is unknown or it does not open. */
export const tryOpenSecret = (
  sealed: Buffer,
  key_id: string,
  owner: SecretOwner,
  keys: EncryptionKeys,
): string | null => withKeyOf(key_id, keys, (key) => openApiKey(sealed, owner, key));

/** The secret of a row under the current key; null if its key is unknown or it does not open. */
export const tryReseal = (
  sealed: Buffer,
  key_id: string,
  owner: SecretOwner,
  keys: EncryptionKeys,
): Buffer | null => withKeyOf(key_id, keys, (key) => rewrapApiKey(sealed, owner, key, keys[0]));

function withKeyOf<Value>(key_id: string, keys: EncryptionKeys, run: (key: Buffer) => Value) {
  const key = encryptionKeyOf(key_id, keys);
  try {
    return key ? run(key) : null;
  } catch {
    return null;
  }
}

/** @param context part of the encryption: only the same one opens it */
export function sealSecret(secret: Buffer, key: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG });
  cipher.setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]);
}

/** @throws for another context, another key, or changed bytes */
export function openSecret(sealed: Buffer, key: Buffer, context: string): Buffer {
  if (sealed.length < NONCE + TAG) throw new Error("The encrypted text is too short.");
  // Without authTagLength Node would also accept a tag of four bytes.
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), {
    authTagLength: TAG,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]);
}
