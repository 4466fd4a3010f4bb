import { expect, test } from "vitest";
import { auditVerdict } from "./audit.ts";

test("a registry that does not answer is neither a pass nor a finding", () => {
  expect(auditVerdict("")).toBe("silent");
  expect(auditVerdict("<html>405</html>")).toBe("silent");
  expect(auditVerdict('{"message":"405 Method Not Allowed","statusCode":405}')).toBe("silent");
});

test("an audit without findings is a pass, and a finding is reported", () => {
  expect(auditVerdict('{"vulnerabilities":{}}')).toEqual([]);
  const found = { a: { severity: "high", range: "<2", fixAvailable: true } };
  expect(auditVerdict(JSON.stringify({ vulnerabilities: found }))).toEqual([
    { name: "a", severity: "high", range: "<2" },
  ]);
});
