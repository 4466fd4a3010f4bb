import fc from "fast-check";
import { expect, it } from "vitest";
import { buttonHtml, posterLines } from "./shared-link.ts";

it("the HTML of a button escapes its text and contains no tag except the link", () => {
  const address = "https://billing.example/buy/4f1c09ab7e3d52086b9ac1e7";
  const html = buttonHtml({ address, text: 'Milk "&" <b>Curd</b>', color: "#ffee00" });
  expect(html).toContain(`href="${address}"`);
  expect(html).toContain("Milk &quot;&amp;&quot; &lt;b&gt;Curd&lt;/b&gt;</a>");
  expect(html).toMatch(/background:#ffee00;color:#(?:000|1)/);
  expect(html.match(/</g)).toHaveLength(2);
});

it("the text of a poster is broken into lines between words, and a long word inside the word", () => {
  expect(posterLines("Fresh milk at the door", 12, 3)).toEqual(["Fresh milk", "at the door"]);
  expect(posterLines("a".repeat(15), 10, 3)).toEqual(["a".repeat(10), "a".repeat(5)]);
  expect(posterLines("one two three four", 5, 2)).toEqual(["one", "two…"]);
  expect(posterLines("ताजा दूध ढोकामै", 8, 3)).toEqual(["ताजा दूध", "ढोकामै"]);
});

it("no line of a poster exceeds its width, and there are no more lines than fit", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.integer({ min: 2, max: 30 }),
      (text, width) => {
        const lines = posterLines(text, width, 3);
        expect(lines.length).toBeLessThanOrEqual(3);
        for (const line of lines)
          expect([...new Intl.Segmenter().segment(line)].length).toBeLessThanOrEqual(width);
      },
    ),
  );
});
