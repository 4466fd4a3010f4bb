import "server-only";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const CIPHER = "aes-256-gcm";
const NONCE = 12;
const TAG = 16;

/** How much longer the sealed text is. */
export const SEAL_BYTES = NONCE + TAG;

/** @param context bound into the seal: it opens with the same one only */
export function sealSecret(secret: Buffer, key: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG });
  cipher.setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]);
}

/** @throws when it was sealed for another context, by another key, or was touched. */
export function openSecret(sealed: Buffer, key: Buffer, context: string): Buffer {
  if (sealed.length < NONCE + TAG) throw new Error("The sealed text is too short.");
  // Without authTagLength Node would also accept a tag of four bytes.
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE), {
    authTagLength: TAG,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-TAG));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]);
}
