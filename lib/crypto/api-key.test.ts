import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { encryptionKeyIdOf, openApiKey, sealApiKey } from "./api-key.ts";

const owner = { seller_id: "5a0e7a2e-2f0f-4a37-9a36-0b9a2e4c1d11", mode: "test" } as const;
const encryptionKey = randomBytes(32);
const sealed = sealApiKey("sk_test_secret", owner, encryptionKey);

test("an encrypted API key is decrypted for the same owner with the same encryption key", () => {
  expect(openApiKey(sealed, owner, encryptionKey)).toBe("sk_test_secret");
});

test("an encrypted API key does not contain the plain text and differs each time", () => {
  expect(sealed.includes("secret")).toBe(false);
  expect(sealApiKey("sk_test_secret", owner, encryptionKey).equals(sealed)).toBe(false);
});

test.each([
  { ...owner, mode: "live" as const },
  { ...owner, seller_id: "5a0e7a2e-2f0f-4a37-9a36-0b9a2e4c1d12" },
])("an encrypted API key cannot be decrypted for the owner %o", (other) => {
  expect(() => openApiKey(sealed, other, encryptionKey)).toThrow();
});

test("an encrypted API key cannot be decrypted with another encryption key", () => {
  expect(() => openApiKey(sealed, owner, randomBytes(32))).toThrow();
});

test("an encrypted API key cannot be decrypted if one bit of any byte is changed", () => {
  for (let at = 0; at < sealed.length; at += 1) {
    const flipped = Buffer.from(sealed);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    expect(() => openApiKey(flipped, owner, encryptionKey)).toThrow();
  }
});

test("an encrypted API key cannot be decrypted if it is truncated at any place", () => {
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => openApiKey(sealed.subarray(0, length), owner, encryptionKey)).toThrow();
  }
});

test("the id of an encryption key is the first eight hex digits of its SHA-256 hash", () => {
  expect(encryptionKeyIdOf(Buffer.alloc(32))).toBe("66687aad");
});
