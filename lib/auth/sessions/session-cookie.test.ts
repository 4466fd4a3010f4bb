import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";
import { openSessionCookie } from "./session-cookie.ts";

const secret = "0123456789abcdef";
const cookieOf = (token: Record<string, unknown>, maxAge = 60) =>
  encode({ token, secret, maxAge });

test("a cookie gives its session's secret every time", async () => {
  const cookie = await cookieOf({ sid: "one" });
  await expect(openSessionCookie(cookie, secret)).resolves.toBe("one");
  await expect(openSessionCookie(cookie, secret)).resolves.toBe("one");
});

test("a cached cookie is not readable with another secret", async () => {
  const cookie = await cookieOf({ sid: "one" });
  await openSessionCookie(cookie, secret);
  await expect(openSessionCookie(cookie, "another-secret-16")).resolves.toBeNull();
});

test("an invalid, empty or expired cookie gives null", async () => {
  const cookies = ["", "none", await cookieOf({}), await cookieOf({ sid: "two" }, -60)];
  for (const cookie of cookies)
    await expect(openSessionCookie(cookie, secret)).resolves.toBeNull();
});
