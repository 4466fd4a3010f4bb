import { expect, test } from "vitest";
import { verdictOf } from "./audit.ts";

test("a registry that does not answer is neither a pass nor a finding", () => {
  expect(verdictOf("")).toBe("silent");
  expect(verdictOf("<html>405</html>")).toBe("silent");
  expect(verdictOf('{"message":"405 Method Not Allowed","statusCode":405}')).toBe("silent");
});

test("an audit without findings is a pass, and a finding is reported", () => {
  expect(verdictOf('{"vulnerabilities":{}}')).toEqual([]);
  const found = { a: { severity: "high", range: "<2", fixAvailable: true } };
  expect(verdictOf(JSON.stringify({ vulnerabilities: found }))).toEqual([
    { name: "a", severity: "high", range: "<2" },
  ]);
});
