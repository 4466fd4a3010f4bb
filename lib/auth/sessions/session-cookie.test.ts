import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { openSessionCookie } from "./session-cookie.ts";

const secret = "0123456789abcdef";
const cookieOf = (token: Record<string, unknown>, maxAge = 60) =>
  encode({ token, secret, maxAge });

test("a session cookie gives the session's secret each time it is read", async () => {
  const cookie = await cookieOf({ sid: "one" });
  await expect(openSessionCookie(cookie, secret)).resolves.toBe("one");
  await expect(openSessionCookie(cookie, secret)).resolves.toBe("one");
});

test("a session cookie that was read before cannot be decrypted with another secret", async () => {
  const cookie = await cookieOf({ sid: "one" });
  await openSessionCookie(cookie, secret);
  await expect(openSessionCookie(cookie, "another-secret-16")).resolves.toBeNull();
});

test("an invalid, empty or expired session cookie gives no session secret", async () => {
  const cookies = ["", "none", await cookieOf({}), await cookieOf({ sid: "two" }, -60)];
  for (const cookie of cookies)
    await expect(openSessionCookie(cookie, secret)).resolves.toBeNull();
});
