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
  /** The column's share of the width; those of all columns add up to at most 1. */
  part: number;
  align?: "right";
  read: (row: Row) => string;
}

export interface Paragraph extends Style {
  text: string;
}

interface Details {
  title: string;
  language: "en" | "ne";
  /** The time at which it is made, which the file contains. */
  at: Date;
  /** The text below each page; `page` begins at 1. */
  footer: (page: number, pages: number) => string;
}

/**
 * Adds the text to shaped glyphs: without it, copying or searching would find the signs of vowels
 * in the order of their glyphs.
 */
class ShapedDocument extends PDFDocument {
  // Declared without a value, because the library's constructor writes to the first page already.
  declare private spelled?: string | null;

  shapedText(text: string, x: number, y: number) {
    this.spelled = text;
    this.text(text, x, y, { lineBreak: false });
    this.spelled = null;
  }

  // The marked content encloses only the glyphs, from which readers take the position of the text.
  override addContent(data: unknown): this {
    const { spelled = null } = this;
    if (spelled !== null && data === "BT") {
      this.spelled = null;
      this.markContent("Span", { actual: spelled });
      this.spelled = spelled;
    }
    super.addContent(data);
    if (spelled !== null && data === "ET") this.endMarkedContent();
    return this;
  }
}

/** A PDF of A4 pages, written from top to bottom with embedded fonts; Devanagari is shaped. */
export class PdfPages {
  readonly #document: ShapedDocument;
  readonly #details: Details;
  readonly #chunks: Buffer[] = [];
  #y = MARGIN;

  constructor(details: Details) {
    this.#details = details;
    this.#document = new ShapedDocument({
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
  text(text: string, given: Style = {}) {
    const style = styled(given);
    this.#room(style.size * LINE);
    this.#write(text, { x: MARGIN, width: WIDTH, style });
    this.#y += style.size * LINE;
  }

  /** A text on as many lines as it needs. */
  paragraph(text: string, style: Style = {}) {
    for (const line of this.#lines(text, WIDTH, styled(style))) this.text(line, style);
  }

  /** Two blocks of paragraphs next to each other. */
  columns(left: readonly Paragraph[], right: readonly Paragraph[]) {
    const width = WIDTH / 2 - 6;
    const top = this.#y;
    let end = top;
    for (const [x, block] of [
      [MARGIN, left],
      [MARGIN + WIDTH / 2, right],
    ] as const) {
      this.#y = top;
      for (const { text, ...given } of block) {
        const style = styled(given);
        for (const line of this.#lines(text, width, style)) {
          this.#write(line, { x, width, style });
          this.#y += style.size * LINE;
        }
      }
      end = Math.max(end, this.#y);
    }
    this.#y = end;
  }

  /** A square of modules, such as a QR code, with lines beside it. */
  modules(data: readonly (readonly boolean[])[], side: number, beside: readonly Paragraph[]) {
    this.#room(side);
    const [top, size] = [this.#y, side / data.length];
    const squares = data.flatMap((row, y) =>
      row.flatMap((isDark, x) => (isDark ? [[x, y] as const] : [])),
    );
    for (const [x, y] of squares)
      this.#document.rect(MARGIN + x * size, top + y * size, size, size);
    this.#document.fill("#000000");
    for (const { text, ...given } of beside) {
      const style = styled(given);
      const place = { x: MARGIN + side + 12, width: WIDTH - side - 12, style };
      for (const line of this.#lines(text, place.width, style)) {
        this.#write(line, place);
        this.#y += style.size * LINE;
      }
    }
    this.#y = Math.max(this.#y, top + side);
  }

  space(height: number) {
    this.#y += height;
  }

  /** Rows below headings, which each page repeats. Lets other work run after some rows. */
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
      const place = [left, this.#y] as const;
      if (run.script === "devanagari") this.#document.shapedText(run.text, ...place);
      else this.#document.text(run.text, ...place, { lineBreak: false });
      left += run.width;
    }
  }

  /** The text cut into lines between its words. */
  #lines(text: string, width: number, style: Required<Style>): string[] {
    const lines: string[] = [];
    for (const word of text.split(" ")) {
      const last = lines.at(-1);
      const longer = last === undefined ? word : `${last} ${word}`;
      const total = runsOf(longer).reduce((sum, run) => sum + this.#widthOf(run, style), 0);
      if (last === undefined || total > width) lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    return lines;
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

const styled = ({ size = 9, weight = "regular", color = "#1f2328" }: Style) => ({
  size,
  weight,
  color,
});

const FOOTER: Required<Style> = { size: 7.5, weight: "regular", color: "#57606a" };
const GRAPHEMES = new Intl.Segmenter("ne", { granularity: "grapheme" });
