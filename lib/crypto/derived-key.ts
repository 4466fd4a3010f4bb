import "server-only";
import { hkdfSync } from "node:crypto";

/**
 * Derives a key for one purpose from a shared secret. A leaked key reveals nothing about the other
 * keys.
 */
export function deriveKey(secret: string | Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `duebook ${purpose}`, 32));
}
