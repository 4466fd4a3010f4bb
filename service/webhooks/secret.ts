import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_LENGTH = 12;
// Needed for every decryption: without it Node accepts a truncated tag of four bytes.
const TAG = { authTagLength: 16 };

/** A signing secret in the format of Standard Webhooks 1.0: 32 random bytes in base64. */
export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** Encrypts a secret for its seller: in another seller's row it cannot be decrypted. */
export function encryptSecret(key: Buffer, sellerId: number, secret: string): Buffer {
  const nonce = randomBytes(NONCE_LENGTH);
  const cipher = createCipheriv(CIPHER, key, nonce, TAG).setAAD(boundTo(sellerId));
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** Decrypts a secret. @throws if the key or the seller is another, or a bit was changed */
export function decryptSecret(key: Buffer, sellerId: number, sealed: Buffer): string {
  const nonce = sealed.subarray(0, NONCE_LENGTH);
  const tag = sealed.subarray(NONCE_LENGTH, NONCE_LENGTH + TAG.authTagLength);
  const text = sealed.subarray(NONCE_LENGTH + TAG.authTagLength);
  const decipher = createDecipheriv(CIPHER, key, nonce, TAG)
    .setAAD(boundTo(sellerId))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
}

/** Decrypts with the first key that fits. @returns null if none does */
export function decryptWithAnyKey(
  keys: readonly Buffer[],
  sellerId: number,
  sealed: Buffer,
): { secret: string; key: Buffer } | null {
  for (const key of keys)
    try {
      return { secret: decryptSecret(key, sellerId, sealed), key };
    } catch {
      // Try the next key.
    }
  return null;
}

const boundTo = (sellerId: number) => Buffer.from(`seller:${sellerId}`);
