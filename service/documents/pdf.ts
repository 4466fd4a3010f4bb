import { setImmediate } from "node:timers/promises";
import PDFDocument from "pdfkit";
import { fontFile, runsOf, SCRIPTS, type Run, type Weight } from "./fonts.ts";

const MARGIN = 42;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN - 14;
const LINE = 1.45;
const ROWS_AT_ONCE = 20;

interface Style {
  size?: number;
  weight?: Weight;
  color?: string;
}

export interface Column<Row> {
  heading: string;
  /** Its part of the width; the parts of all columns add up to 1 at most. */
  part: number;
  align?: "right";
  read: (row: Row) => string;
}

interface Details {
  title: string;
  language: "en" | "ne";
  /** When it is made, which is part of the bytes. */
  at: Date;
  /** What is below each page; `page` begins at 1. */
  footer: (page: number, pages: number) => string;
}

/** A PDF of A4 pages, written from top to bottom with embedded fonts; Devanagari is shaped. */
export class PdfPages {
  readonly #document: PDFKit.PDFDocument;
  readonly #details: Details;
  readonly #chunks: Buffer[] = [];
  #y = MARGIN;

  constructor(details: Details) {
    this.#details = details;
    this.#document = new PDFDocument({
      size: "A4",
      margin: 0,
      bufferPages: true,
      subset: "PDF/A-2b",
      pdfVersion: "1.7",
      lang: details.language,
      font: fontFile("latin", "regular") as unknown as string,
      info: { Title: details.title, CreationDate: details.at, ModDate: details.at },
    });
    for (const weight of ["regular", "bold"] as const)
      for (const script of SCRIPTS)
        this.#document.registerFont(`${script} ${weight}`, fontFile(script, weight));
    this.#document.on("data", (chunk: Buffer) => this.#chunks.push(chunk));
  }

  /** A line of text, cut off where the page ends. */
  text(text: string, { size = 9, weight = "regular", color = "#1f2328" }: Style = {}) {
    this.#room(size * LINE);
    this.#write(text, { x: MARGIN, width: WIDTH, style: { size, weight, color } });
    this.#y += size * LINE;
  }

  space(height: number) {
    this.#y += height;
  }

  /** Rows below their headings, which each page repeats. Other work goes on meanwhile. */
  async table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
    const size = 8;
    const height = size * LINE + 4;
    const whole = columns.reduce((sum, { part }) => sum + part, 0) * WIDTH;
    const line = (read: (column: Column<Row>) => string, weight: Weight) => {
      let x = MARGIN;
      for (const column of columns) {
        const width = column.part * WIDTH;
        const align = column.align;
        const style = { size, weight, color: "#1f2328" };
        this.#write(read(column), { x, width: width - 6, style, ...(align && { align }) });
        x += width;
      }
      this.#y += height;
    };
    const head = () => {
      line(({ heading }) => heading, "bold");
      this.#rule("#57606a", whole);
    };
    this.#room(3 * height);
    head();
    for (const [index, row] of rows.entries()) {
      if (index % ROWS_AT_ONCE === 0) await setImmediate();
      if (this.#room(height)) head();
      line(({ read }) => read(row), "regular");
      this.#rule("#d0d7de", whole);
    }
    this.space(8);
  }

  async end(): Promise<Buffer> {
    const { count } = this.#document.bufferedPageRange();
    for (let page = 0; page < count; page += 1) {
      this.#document.switchToPage(page);
      this.#y = 841.89 - MARGIN;
      const text = this.#details.footer(page + 1, count);
      this.#write(text, { x: MARGIN, width: WIDTH, style: FOOTER });
    }
    const ended = new Promise<void>((done, fail) =>
      this.#document.once("end", done).once("error", fail),
    );
    this.#document.end();
    await ended;
    return Buffer.concat(this.#chunks);
  }

  /** Begins a new page if that height is not left. @returns whether it did */
  #room(height: number): boolean {
    if (this.#y + height <= BOTTOM) return false;
    this.#document.addPage();
    this.#y = MARGIN;
    return true;
  }

  #rule(color: string, width: number) {
    const y = this.#y - 2;
    this.#document
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + width, y)
      .lineWidth(0.5)
      .stroke(color);
  }

  #write(
    text: string,
    {
      x,
      width,
      align,
      style,
    }: { x: number; width: number; align?: "right"; style: Required<Style> },
  ) {
    const runs = this.#fit(text, width, style);
    const total = runs.reduce((sum, run) => sum + run.width, 0);
    let left = align === "right" ? x + width - total : x;
    this.#document.fillColor(style.color);
    for (const run of runs) {
      this.#font(run.script, style);
      this.#document.text(run.text, left, this.#y, { lineBreak: false });
      left += run.width;
    }
  }

  /** The text's runs with their widths, ending in "…" where it is too long. */
  #fit(text: string, width: number, style: Required<Style>) {
    const measured = (one: string) =>
      runsOf(one).map((run) => ({ ...run, width: this.#widthOf(run, style) }));
    const fits = (runs: { width: number }[]) =>
      runs.reduce((sum, run) => sum + run.width, 0) <= width;
    const whole = measured(text);
    if (fits(whole)) return whole;
    const characters = [...GRAPHEMES.segment(text)].map(({ segment }) => segment);
    let [least, most] = [0, characters.length];
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      const cut = `${characters.slice(0, middle).join("")}…`;
      if (fits(measured(cut))) least = middle;
      else most = middle - 1;
    }
    return measured(`${characters.slice(0, least).join("")}…`);
  }

  #widthOf({ text, script }: Run, style: Required<Style>) {
    this.#font(script, style);
    return this.#document.widthOfString(text);
  }

  #font(script: Run["script"], { size, weight }: Required<Style>) {
    this.#document.font(`${script} ${weight}`).fontSize(size);
  }
}

const FOOTER: Required<Style> = { size: 7.5, weight: "regular", color: "#57606a" };
const GRAPHEMES = new Intl.Segmenter("ne", { granularity: "grapheme" });
