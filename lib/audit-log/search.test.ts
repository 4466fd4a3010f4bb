import { expect, test } from "vitest";
import { isUnfiltered, parseAuditSearch, auditFilePath, auditPath } from "./search.ts";

const scope = { seller: "0a1b2c3d4e", mode: "test" } as const;
const nothing = parseAuditSearch({});

test("the audit log's filters are the same after they are written to a URL and read back", () => {
  const search = {
    q: "role बुद्ध",
    person: "3f2b8c1e-0000-4000-8000-00000000abcd",
    action: "team.change-role",
    result: "refused",
    subscription: "9c1f-22",
    from: "2026-11-01",
    to: "2026-11-20",
    before: "4711",
  } as const;
  const url = new URL(auditPath(scope, search), "http://here.invalid");
  expect(parseAuditSearch(url.searchParams)).toEqual(search);
});

test("the audit log's URL has no unset filters, and the URL of its exported file has no page position", () => {
  expect(auditPath(scope, nothing)).toBe("/0a1b2c3d4e/test/settings/audit-log");
  expect(auditFilePath(scope, { ...nothing, before: "9", result: "done" })).toBe(
    "/api/0a1b2c3d4e/test/audit-log?result=done",
  );
  expect(isUnfiltered({ ...nothing, before: "9" })).toBe(true);
  expect(isUnfiltered({ ...nothing, q: "x" })).toBe(false);
});

test.each([
  { q: "\0", person: "me", action: "DROP TABLE", result: "good", subscription: "../x" },
  { q: "x".repeat(101), from: "2026-02-30", to: "yesterday", before: "-1" },
  { q: ["a", "b"], result: ["done"], from: "0000-00-00", before: "9".repeat(30) },
  { person: "3F2B8C1E", action: "__proto__", to: "9999-99-99", before: "0" },
  { from: "0000-01-01", to: "0000-12-31" },
])("invalid parameters of the audit log's URL are ignored: %o", (parameters) => {
  expect(parseAuditSearch(parameters)).toEqual(nothing);
});
