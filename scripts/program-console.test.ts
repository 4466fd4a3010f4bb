import { expect, test, vi } from "vitest";
import { logWhatIsPrinted } from "./program-console.ts";

test("what Next.js prints becomes lines of the log, of errors without their words", () => {
  const usual = { ...console };
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  logWhatIsPrinted();
  const error = Object.assign(new Error("asha@example.com is taken"), {
    code: "23505",
    digest: "1234",
  });
  console.error("\u001B[31m⨯\u001B[39m", error, { typed: "asha@example.com" });
  console.warn("deprecated:\nsomething");
  Object.assign(console, usual);
  const text = write.mock.calls.map(([line]) => line).join("");
  write.mockRestore();
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
  expect(lines).toMatchObject([
    {
      level: "error",
      msg: "⨯",
      reference: "1234",
      fault: { name: "Error", code: "23505", place: expect.any(Array) },
    },
    { level: "warn", msg: "deprecated: something" },
  ]);
  expect(text).not.toContain("asha@example.com");
});
