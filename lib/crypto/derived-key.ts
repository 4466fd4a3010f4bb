import "server-only";
import { hkdfSync } from "node:crypto";

/** A key for one purpose out of a secret for many: what one of them gives away tells nothing of another. */
export function deriveKey(secret: string | Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `duebook ${purpose}`, 32));
}
