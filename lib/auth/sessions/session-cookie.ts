import "server-only";
import { decode } from "next-auth/jwt";

/** Maximum entries in the cache; the oldest is dropped first. */
const MOST = 5_000;
// Cached: deriving the key is the slow part, and a cookie's content never changes.
const opened = new Map<string, string>();

/** The session's secret in a cookie, or null. Each request still checks the session in the database. */
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
