import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE_LENGTH = 12;
// Named wherever one is opened: without it Node takes a tag of four bytes for a good one.
const TAG = { authTagLength: 16 };

/** A signing secret as Standard Webhooks 1.0 writes it: 32 random bytes in base64. */
export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

/** Bound to its seller: moved into another seller's row it does not open. */
export function sealSecret(key: Buffer, sellerId: number, secret: string): Buffer {
  const nonce = randomBytes(NONCE_LENGTH);
  const cipher = createCipheriv(CIPHER, key, nonce, TAG).setAAD(boundTo(sellerId));
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** @throws where the key or the seller is another, or one bit was changed. */
export function openSecret(key: Buffer, sellerId: number, sealed: Buffer): string {
  const nonce = sealed.subarray(0, NONCE_LENGTH);
  const tag = sealed.subarray(NONCE_LENGTH, NONCE_LENGTH + TAG.authTagLength);
  const text = sealed.subarray(NONCE_LENGTH + TAG.authTagLength);
  const decipher = createDecipheriv(CIPHER, key, nonce, TAG)
    .setAAD(boundTo(sellerId))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
}

/** By the first of the keys that does it. @returns null where none does */
export function openBy(
  keys: readonly Buffer[],
  sellerId: number,
  sealed: Buffer,
): { secret: string; key: Buffer } | null {
  for (const key of keys)
    try {
      return { secret: openSecret(key, sellerId, sealed), key };
    } catch {
      // Another key may.
    }
  return null;
}

const boundTo = (sellerId: number) => Buffer.from(`seller:${sellerId}`);
