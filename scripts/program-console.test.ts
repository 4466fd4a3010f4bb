import { expect, test } from "vitest";
import { logWhatIsPrinted } from "./program-console.ts";
import { linesOf } from "./testing/log.ts";

test("what Next.js prints becomes lines of the log, of errors without their words", async () => {
  const usual = { ...console };
  const error = Object.assign(new Error("asha@example.com is taken"), {
    code: "23505",
    digest: "1234",
  });
  const lines = await linesOf(() => {
    logWhatIsPrinted();
    console.error("\u001B[31m⨯\u001B[39m", error, { typed: "asha@example.com" });
    console.warn("deprecated:\nsomething");
  });
  Object.assign(console, usual);
  expect(lines).toMatchObject([
    {
      level: "error",
      msg: "⨯",
      reference: "1234",
      fault: { name: "Error", code: "23505", place: expect.any(Array) },
    },
    { level: "warn", msg: "deprecated: something" },
  ]);
  expect(JSON.stringify(lines)).not.toContain("asha@example.com");
});
