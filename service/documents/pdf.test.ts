import { expect, it } from "vitest";
import { runsOf } from "./fonts.ts";
import { PdfPages } from "./pdf.ts";

it.each([
  ["Asmita Rai 1,130.00", ["latin: Asmita Rai 1,130.00"]],
  ["श्रेष्ठ दुग्ध Pvt. Ltd.", ["devanagari: श्रेष्ठ दुग्ध ", "latin: Pvt. Ltd."]],
  ["मिति: २०८२", ["devanagari: मिति", "latin: : ", "devanagari: २०८२"]],
  ["गर्\u200dयो ₹5", ["devanagari: गर्\u200dयो ₹", "latin: 5"]],
  ["Šárka", ["latin-ext: Š", "latin: árka"]],
  ["漢 a", ["latin: ? a"]],
  ["", []],
])(
  "the text %s is split by script, so that each part is written in the script's font",
  (text, runs) => {
    expect(runsOf(text).map(({ script, text }) => `${script}: ${text}`)).toEqual(runs);
  },
);

async function make(rows: number) {
  const pages = new PdfPages({
    title: "विवरण",
    language: "ne",
    at: new Date("2026-03-31T00:00:00Z"),
    footer: (page, count) => `${page} / ${count}`,
  });
  pages.text("श्रेष्ठ दुग्ध उद्योग", { size: 15, weight: "bold" });
  const columns = [
    { heading: "खाता", part: 0.5, read: ({ name }: { name: string }) => name },
    { heading: "Debit", part: 0.2, align: "right" as const, read: () => "NPR 1,130.00" },
  ];
  await pages.table(
    columns,
    Array.from({ length: rows }, () => ({ name: "प्रार्थना ".repeat(40) })),
  );
  return pages.end();
}

it("a document is a PDF/A with embedded fonts, gets a further page when full, and has the same bytes each time", async () => {
  const [one, same, long] = [await make(2), await make(2), await make(60)];
  expect(one.equals(same)).toBe(true);
  const text = (pdf: Buffer) => pdf.toString("latin1");
  expect(text(one)).toMatch(/^%PDF-1\.7/);
  expect(text(one)).toContain("<pdfaid:part>2</pdfaid:part>");
  expect(text(one).match(/\/FontFile2 /g)).toHaveLength(4);
  expect(text(one)).not.toMatch(/Helvetica/);
  const pagesOf = (pdf: Buffer) => text(pdf).match(/\/Type \/Page\b/g)?.length;
  expect([pagesOf(one), pagesOf(long)]).toEqual([1, 2]);
});
