import { expect, test } from "vitest";
import { contentPolicy, nonceOf } from "./content-policy.ts";

const sourcesOf = (policy: string, directive: string) =>
  policy
    .split("; ")
    .find((part) => part.startsWith(`${directive} `))
    ?.split(" ")
    .slice(1);

test("the content security policy allows only scripts with the nonce of the response", () => {
  const policy = contentPolicy("bm9uY2U=");
  expect(sourcesOf(policy, "script-src")).toEqual(["'nonce-bm9uY2U='", "'strict-dynamic'"]);
  expect(policy).not.toMatch(/unsafe-|\*|http:/);
  expect(nonceOf(policy)).toBe("bm9uY2U=");
  expect(nonceOf(null)).toBeUndefined();
});

test("the content security policy forbids framing and base URLs, and restricts form targets to the same origin", () => {
  const policy = contentPolicy("x");
  expect(sourcesOf(policy, "default-src")).toEqual(["'none'"]);
  expect(sourcesOf(policy, "frame-ancestors")).toEqual(["'none'"]);
  expect(sourcesOf(policy, "base-uri")).toEqual(["'none'"]);
  expect(sourcesOf(policy, "form-action")).toEqual(["'self'"]);
  expect(sourcesOf(policy, "connect-src")).toEqual(["'self'"]);
  expect(sourcesOf(policy, "worker-src")).toEqual(["'self'"]);
});

test("the content security policy allows images from any https URL, and over http only from configured origins", () => {
  const policy = contentPolicy("x", { imageOrigins: ["http://localhost:4000"] });
  expect(sourcesOf(policy, "img-src")).toEqual([
    "'self'",
    "data:",
    "https:",
    "http://localhost:4000",
  ]);
});

test("the content security policy allows eval only on the development server", () => {
  expect(contentPolicy("x", { isDevelopment: true })).toContain("'unsafe-eval'");
  expect(contentPolicy("x")).not.toContain("'unsafe-eval'");
});
