import "server-only";
import { createHash, randomBytes } from "node:crypto";

/** Who knocks, as far as the request tells. */
export interface Visit {
  address: string | null;
  user_agent: string | null;
  /** What this browser was given when somebody signed in with it. */
  device: string | null;
  /** What it was given when the password was right and the code was still to come. */
  challenge: string | null;
  /** The secret of the session that it has; a sign-in takes its place. */
  session: string | null;
}

/** 256 bits for a cookie or a link. */
export const newSecret = () => randomBytes(32).toString("base64url");

/** What a table keeps of such a secret. */
export const secretId = (secret: string) => createHash("sha256").update(secret).digest();
