import { expect, test } from "vitest";
import { contentPolicy, nonceOf } from "./content-policy.ts";

const sourcesOf = (policy: string, directive: string) =>
  policy
    .split("; ")
    .find((part) => part.startsWith(`${directive} `))
    ?.split(" ")
    .slice(1);

test("only scripts with the nonce of this response run", () => {
  const policy = contentPolicy("bm9uY2U=");
  expect(sourcesOf(policy, "script-src")).toEqual(["'nonce-bm9uY2U='", "'strict-dynamic'"]);
  expect(policy).not.toMatch(/unsafe-|\*|http:/);
  expect(nonceOf(policy)).toBe("bm9uY2U=");
  expect(nonceOf(null)).toBeUndefined();
});

test("pages cannot be framed, and base URLs and form targets are restricted", () => {
  const policy = contentPolicy("x");
  expect(sourcesOf(policy, "default-src")).toEqual(["'none'"]);
  expect(sourcesOf(policy, "frame-ancestors")).toEqual(["'none'"]);
  expect(sourcesOf(policy, "base-uri")).toEqual(["'none'"]);
  expect(sourcesOf(policy, "form-action")).toEqual(["'self'"]);
  expect(sourcesOf(policy, "connect-src")).toEqual(["'self'"]);
  expect(sourcesOf(policy, "worker-src")).toEqual(["'self'"]);
});

test("images load from any https URL, and over http only from the configured origins", () => {
  const policy = contentPolicy("x", { imageOrigins: ["http://localhost:4000"] });
  expect(sourcesOf(policy, "img-src")).toEqual([
    "'self'",
    "data:",
    "https:",
    "http://localhost:4000",
  ]);
});

test("only the development server may evaluate code", () => {
  expect(contentPolicy("x", { isDevelopment: true })).toContain("'unsafe-eval'");
  expect(contentPolicy("x")).not.toContain("'unsafe-eval'");
});
