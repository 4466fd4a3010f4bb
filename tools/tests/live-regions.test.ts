import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "#scripts/process/settings.ts";

// A screen reader ignores an element without a box, so it would miss the first text.
test("no ARIA live region is hidden while it is empty", () => {
  const hidden = globSync("{app,components}/**/*.tsx", { cwd: ROOT }).filter((path) =>
    readFileSync(`${ROOT}/${path}`, "utf8")
      .match(/<\w+\s[^<>]*(?:role="(?:status|alert)"|aria-live=)[^<>]*>/g)
      ?.some((tag) => /\bempty:hidden\b/.test(tag)),
  );
  expect(hidden).toEqual([]);
});
