import { expect, test } from "vitest";
import { auditVerdict } from "./audit.ts";

test("an audit whose registry does not answer neither passes nor reports a vulnerability", () => {
  expect(auditVerdict("")).toBe("silent");
  expect(auditVerdict("<html>405</html>")).toBe("silent");
  expect(auditVerdict('{"message":"405 Method Not Allowed","statusCode":405}')).toBe("silent");
});

test("an audit without vulnerabilities passes, and a vulnerability is reported", () => {
  expect(auditVerdict('{"vulnerabilities":{}}')).toEqual([]);
  const found = { a: { severity: "high", range: "<2", fixAvailable: true } };
  expect(auditVerdict(JSON.stringify({ vulnerabilities: found }))).toEqual([
    { name: "a", severity: "high", range: "<2" },
  ]);
});
