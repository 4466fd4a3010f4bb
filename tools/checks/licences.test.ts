import { expect, test } from "vitest";
import { isAllowed, packagesOf, licenceProblemsOf } from "./licences.ts";

test("all licences joined by AND must be allowed, and at least one of those joined by OR", () => {
  expect(isAllowed("MIT")).toBe(true);
  expect(isAllowed("MIT AND ISC")).toBe(true);
  expect(isAllowed("MIT AND GPL-3.0-only")).toBe(false);
  expect(isAllowed("(GPL-3.0-only OR MIT)")).toBe(true);
  expect(isAllowed("AGPL-3.0-only")).toBe(false);
});

test("a package without a licence, or with a licence that is not allowed, is reported", () => {
  const lockfile = JSON.stringify({
    packages: {
      "": { version: "1.0.0" },
      "node_modules/a": { version: "1.0.0", license: "MIT" },
      "node_modules/b/node_modules/@c/d": { version: "2.0.0" },
      "node_modules/e": { version: "3.0.0", license: "SSPL-1.0", optional: true },
    },
  });
  expect(licenceProblemsOf(packagesOf(lockfile))).toEqual([
    "@c/d 2.0.0 names no licence",
    "e 3.0.0: SSPL-1.0 is not in the list",
  ]);
});

test("a package used both at run time and at build time is listed as used at run time", () => {
  const lockfile = JSON.stringify({
    packages: {
      "node_modules/a": { version: "1.0.0", license: "MIT" },
      "node_modules/b/node_modules/a": { version: "1.0.0", license: "MIT", dev: true },
    },
  });
  expect(packagesOf(lockfile)).toEqual([
    { name: "a", version: "1.0.0", licence: "MIT", use: "runs" },
  ]);
});
