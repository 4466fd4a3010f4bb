import { expect, test } from "vitest";
import { verdictOf } from "./audit.ts";

test("a registry that does not answer is neither good news nor bad", () => {
  expect(verdictOf("")).toBe("silent");
  expect(verdictOf("<html>405</html>")).toBe("silent");
  expect(verdictOf('{"message":"405 Method Not Allowed","statusCode":405}')).toBe("silent");
});

test("no finding and a finding are told apart", () => {
  expect(verdictOf('{"vulnerabilities":{}}')).toEqual([]);
  const found = { a: { severity: "high", range: "<2", fixAvailable: true } };
  expect(verdictOf(JSON.stringify({ vulnerabilities: found }))).toEqual([
    { name: "a", severity: "high", range: "<2" },
  ]);
});
