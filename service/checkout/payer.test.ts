import { expect, test } from "vitest";
import { isPayer, payerCookie } from "./payer.ts";

const secretsKeys = [Buffer.alloc(32, 7)];
const ATTEMPT = "1b7e9c02-5a4d-4f38-8c61-d90a2e3b47f5";

test.each([
  ["https://pay.example", /^__Host-duebook\.payer=[\w-]{43}; Path=\/; .*; Secure$/],
  ["http://127.0.0.1:4000", /^duebook\.payer=[\w-]{43}; Path=\/; Max-Age=86400; .*Lax$/],
])(
  "at %s the payer's cookie is valid only for its own payment attempt, and scripts cannot read it",
  (publicUrl, form) => {
    const keys = { publicUrl, secretsKeys };
    const cookie = payerCookie(keys, ATTEMPT) ?? "";
    expect(cookie).toMatch(form);
    expect(cookie).toContain("; HttpOnly; SameSite=Lax");
    const [held = ""] = cookie.split(";");
    expect(isPayer(keys, ATTEMPT, `a=b; ${held}; c=d`)).toBe(true);
    expect(isPayer(keys, ATTEMPT.replace("1b", "2b"), held)).toBe(false);
  },
);

test("without a secret key no payer cookie is made, and a made-up payer cookie is not accepted", () => {
  const keys = { publicUrl: "https://pay.example", secretsKeys: [] };
  expect(payerCookie(keys, ATTEMPT)).toBeNull();
  expect(isPayer(keys, ATTEMPT, "__Host-duebook.payer=null")).toBe(false);
});
