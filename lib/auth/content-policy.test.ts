import { expect, test } from "vitest";
import { contentPolicy, nonceOf } from "./content-policy.ts";

const sourcesOf = (policy: string, directive: string) =>
  policy
    .split("; ")
    .find((part) => part.startsWith(`${directive} `))
    ?.split(" ")
    .slice(1);

test("only scripts with the nonce of this answer run", () => {
  const policy = contentPolicy("bm9uY2U=");
  expect(sourcesOf(policy, "script-src")).toEqual(["'nonce-bm9uY2U='", "'strict-dynamic'"]);
  expect(policy).not.toMatch(/unsafe-|\*|http:/);
  expect(nonceOf(policy)).toBe("bm9uY2U=");
  expect(nonceOf(null)).toBeUndefined();
});

test("nothing frames the page, moves its addresses or takes its forms", () => {
  const policy = contentPolicy("x");
  expect(sourcesOf(policy, "default-src")).toEqual(["'none'"]);
  expect(sourcesOf(policy, "frame-ancestors")).toEqual(["'none'"]);
  expect(sourcesOf(policy, "base-uri")).toEqual(["'none'"]);
  expect(sourcesOf(policy, "form-action")).toEqual(["'self'"]);
  expect(sourcesOf(policy, "connect-src")).toEqual(["'self'"]);
});

test("images come from anywhere with TLS, and without it from the named origins alone", () => {
  const policy = contentPolicy("x", { imageOrigins: ["http://localhost:4000"] });
  expect(sourcesOf(policy, "img-src")).toEqual([
    "'self'",
    "data:",
    "https:",
    "http://localhost:4000",
  ]);
});

test("evaluation is allowed to the development server alone", () => {
  expect(contentPolicy("x", { isDevelopment: true })).toContain("'unsafe-eval'");
});
