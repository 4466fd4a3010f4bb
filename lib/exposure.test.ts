import { expect, test } from "vitest";
import { clearTextWarning, isReachableByOthers } from "./exposure.ts";

test.each([
  [{}, false],
  [{ HOST: "localhost", NEXTAUTH_URL: "http://localhost:3000" }, false],
  [{ HOST: "127.0.0.1", NEXTAUTH_URL: "https://127.8.0.1" }, false],
  [{ HOST: "::1", NEXTAUTH_URL: "http://[::1]:3000" }, false],
  [{ HOST: "127.0.0.1", TRUSTED_PROXIES: "0" }, false],
  [{ TRUSTED_PROXIES: "" }, false],
  [{ TRUSTED_PROXIES: "1" }, true],
  [{ HOST: "127.0.0.1", NEXTAUTH_URL: "http://localhost:3000", TRUSTED_PROXIES: "2" }, true],
  [{ HOST: "::" }, true],
  [{ HOST: "192.168.1.4" }, true],
  [{ HOST: "127.0.0.1", NEXTAUTH_URL: "http://desk.lan" }, true],
  [{ NEXTAUTH_URL: "https://localhost.example" }, true],
  [{ HOST: "127.0.0.1.example" }, true],
])(
  "with the settings %o the server is reachable by other machines: %s",
  (variables, expected) => {
    expect(isReachableByOthers(variables)).toBe(expected);
  },
);

test("a warning about missing TLS appears only if other machines can reach the server over plain HTTP", () => {
  expect(clearTextWarning({ HOST: "0.0.0.0", NEXTAUTH_URL: "http://localhost:3000" })).toMatch(
    /without TLS.*proxy with TLS/,
  );
  expect(
    clearTextWarning({ HOST: "0.0.0.0", NEXTAUTH_URL: "https://desk.example" }),
  ).toBeNull();
  expect(
    clearTextWarning({ HOST: "127.0.0.1", NEXTAUTH_URL: "http://localhost:3000" }),
  ).toBeNull();
});
