import "server-only";
import { createHash, randomBytes } from "node:crypto";

/** What the request says about its browser and address. */
export interface Visit {
  address: string | null;
  user_agent: string | null;
  /** The known-device secret from the browser's cookie. */
  device: string | null;
  /** The challenge issued after a correct password, while the second factor is pending. */
  challenge: string | null;
  /** The secret of the browser's current session, which a new sign-in replaces. */
  session: string | null;
}

/** A 256-bit secret for a cookie or a link. */
export const newSecret = () => randomBytes(32).toString("base64url");

/** The hash of a secret, as stored in tables. */
export const hashSessionSecret = (secret: string) =>
  createHash("sha256").update(secret).digest();
