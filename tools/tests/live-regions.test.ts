import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "#scripts/process/settings.ts";

// What has no box is not among what is read, so its first words would come unheard.
test("what is said aloud stays among what is read while it says nothing", () => {
  const hidden = globSync("{app,components}/**/*.tsx", { cwd: ROOT }).filter((path) =>
    readFileSync(`${ROOT}/${path}`, "utf8")
      .match(/<\w+\s[^<>]*(?:role="(?:status|alert)"|aria-live=)[^<>]*>/g)
      ?.some((tag) => /\bempty:hidden\b/.test(tag)),
  );
  expect(hidden).toEqual([]);
});
