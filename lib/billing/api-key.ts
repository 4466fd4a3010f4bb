import "server-only";
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** Whose key it is: bound into the seal, so that a row moved to another seller does not open. */
export interface KeyOwner {
  seller_id: string;
  mode: "test" | "live";
}

const CIPHER = "aes-256-gcm";
const NONCE = 12;
const TAG = 16;
const WRAPPED_KEY = NONCE + 32 + TAG;

const contextOf = ({ seller_id, mode }: KeyOwner) => Buffer.from(`${seller_id}:${mode}`);

/** Names the encryption key in a row without giving it away. */
export function keyIdOf(encryptionKey: Buffer): string {
  return createHash("sha256").update(encryptionKey).digest("hex").slice(0, 8);
}

/**
 * Envelope: a fresh data key seals the API key, the encryption key seals the data key. A change of
 * the encryption key then wraps 32 bytes again and never opens the API key.
 */
export function sealApiKey(apiKey: string, owner: KeyOwner, encryptionKey: Buffer): Buffer {
  const dataKey = randomBytes(32);
  return Buffer.concat([
    seal(dataKey, encryptionKey, owner),
    seal(Buffer.from(apiKey), dataKey, owner),
  ]);
}

/** @throws when the seal was made for another owner, with another key, or was touched. */
export function openApiKey(sealed: Buffer, owner: KeyOwner, encryptionKey: Buffer): string {
  const dataKey = open(sealed.subarray(0, WRAPPED_KEY), encryptionKey, owner);
  return open(sealed.subarray(WRAPPED_KEY), dataKey, owner).toString();
}

function seal(secret: Buffer, key: Buffer, owner: KeyOwner): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG });
  cipher.setAAD(contextOf(owner));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]);
}

function open(sealed: Buffer, key: Buffer, owner: KeyOwner): Buffer {
  if (sealed.length < NONCE + TAG) throw new Error("The sealed text is too short.");
  // Without authTagLength Node would also accept a tag of four bytes.
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), {
    authTagLength: TAG,
  });
  decipher.setAAD(contextOf(owner));
  decipher.setAuthTag(sealed.subarray(-TAG));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]);
}
