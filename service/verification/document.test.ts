import { describe, expect, it } from "vitest";
import { jpegOf, pdf, pngOf } from "../testing/documents.ts";
import { recognizeDocument } from "./document.ts";

const problemOf = (content: Buffer) => {
  const recognized = recognizeDocument(content);
  return "problem" in recognized ? recognized.problem : null;
};

describe("an uploaded verification document", () => {
  it("is recognised as a PNG, JPEG or PDF file by its content", () => {
    expect(recognizeDocument(pngOf(1_200, 800))).toEqual({ media_type: "image/png" });
    expect(recognizeDocument(jpegOf(8_000, 6_000))).toEqual({ media_type: "image/jpeg" });
    expect(recognizeDocument(pdf())).toEqual({ media_type: "application/pdf" });
  });

  it.each([
    ["an SVG with a script", "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"],
    ["an HTML page", "<!doctype html><script>alert(1)</script>"],
    ["a program", "MZ\u0090\u0000"],
    ["nothing but the word PDF", "PDF"],
    ["one byte", "x"],
  ])("with the content of %s is refused", (_name, text) => {
    expect(problemOf(Buffer.from(text, "latin1"))).toBe("Upload a PNG or JPEG image or a PDF.");
  });

  it("that is a truncated PDF, or a PDF followed by other bytes, is refused as incomplete", () => {
    expect(problemOf(pdf().subarray(0, 20))).toContain("incomplete");
    expect(problemOf(Buffer.concat([pdf(), Buffer.alloc(5_000)]))).toContain("incomplete");
  });

  it("that is an image of too many pixels or without a size is refused", () => {
    expect(problemOf(pngOf(100_000, 100_000))).toContain("too large");
    expect(problemOf(jpegOf(60_000, 60_000))).toContain("too large");
    expect(problemOf(pngOf(0, 10))).toContain("too large");
    expect(problemOf(pngOf(10, 10).subarray(0, 20))).toContain("Upload a PNG");
    expect(problemOf(Buffer.from("ffd8ffe0ffff", "hex"))).toContain("Upload a PNG");
  });

  it("with random bytes is recognised or refused without an exception", () => {
    let seed = 1;
    const next = () => (seed = (seed * 48_271) % 2_147_483_647);
    for (let time = 0; time < 2_000; time += 1) {
      const content = Buffer.from(Array.from({ length: next() % 64 }, () => next() % 256));
      const start = [pngOf(1, 1), jpegOf(1, 1), pdf(), Buffer.alloc(0)][next() % 4] as Buffer;
      const mixed = Buffer.concat([start.subarray(0, next() % (start.length + 1)), content]);
      const recognized = recognizeDocument(mixed);
      expect("problem" in recognized || recognized.media_type.length > 0).toBe(true);
    }
  });
});
