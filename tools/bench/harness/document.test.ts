import { expect, test } from "vitest";
import { asMarkdown, replaceSection } from "./document.ts";

test("a section of benchmark results replaces only the text between its marks", () => {
  const before = "# B\n\n<!-- one -->\n\nold\n\n<!-- /one -->\n\n<!-- two -->\n<!-- /two -->\n";
  expect(replaceSection(before, "one", "new")).toBe(
    "# B\n\n<!-- one -->\n\nnew\n\n<!-- /one -->\n\n<!-- two -->\n<!-- /two -->\n",
  );
  expect(replaceSection(before, "two", "new")).toContain(
    "<!-- two -->\n\nnew\n\n<!-- /two -->",
  );
});

test("a document without the marks of the section is refused", () => {
  expect(() => replaceSection("# B", "one", "new")).toThrow(/no part from/);
});

test("lines of benchmark results outside tables become list items", () => {
  const printed = "| a  | b |\n| - | - |\n| 1 | 2 |\nratio    0.65, met\nall: 7\n\n| c |\n";
  expect(asMarkdown(printed)).toBe(
    "| a  | b |\n| - | - |\n| 1 | 2 |\n\n- ratio 0.65, met\n- all: 7\n\n| c |",
  );
});
