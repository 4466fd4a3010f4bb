import "server-only";
import { decode } from "next-auth/jwt";

/** So many are remembered; the one that was opened first goes first. */
const MOST = 5_000;
// Deriving the key takes longer than all else of it, and what a cookie holds never changes.
const opened = new Map<string, string>();

/**
 * The session's secret in a cookie, or null. Nothing follows from it alone: whether that session
 * lives is asked of the database each time.
 */
export async function openSessionCookie(
  cookie: string,
  secret: string,
): Promise<string | null> {
  const key = `${secret}:${cookie}`;
  const known = opened.get(key);
  if (known !== undefined) return known;
  const sid = await decode({ token: cookie, secret })
    .then((token) => token?.["sid"])
    .catch(() => null);
  if (typeof sid !== "string") return null;
  const [first] = opened.keys();
  if (opened.size >= MOST && first !== undefined) opened.delete(first);
  opened.set(key, sid);
  return sid;
}
