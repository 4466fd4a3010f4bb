import { expect, test } from "vitest";
import { hashPassword, verifyPassword } from "./password.ts";

test("only the right password matches, and an unknown user has none", async () => {
  const stored = await hashPassword("नमस्ते, correct horse");
  expect(stored).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
  await expect(verifyPassword(stored, "नमस्ते, correct horse")).resolves.toBe(true);
  await expect(verifyPassword(stored, "correct horse")).resolves.toBe(false);
  await expect(verifyPassword(null, "correct horse")).resolves.toBe(false);
});

test("more attempts than run at once all get an answer", async () => {
  const stored = await hashPassword("right");
  const tries = Array.from({ length: 12 }, (_, at) =>
    verifyPassword(stored, at === 7 ? "right" : "no"),
  );
  const answers = await Promise.all(tries);
  expect(answers.map(Number).join("")).toBe("000000010000");
});
