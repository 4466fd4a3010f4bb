import { fileResponse } from "./file-response.ts";

/** Tells spreadsheets that the file is UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** One line; cells that a spreadsheet would read as formulas become plain text. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quote(cell ?? "")).join(",")}\r\n`;
}

export const CSV_TYPE = "text/csv; charset=utf-8";

/**
 * A download with this name.
 * @param body lines that begin with the byte order mark
 */
export const csvResponse = (filename: string, body: string | ReadableStream): Response =>
  fileResponse(filename, CSV_TYPE, body);

/** Reads lines only as fast as the browser takes them. */
export function csvStream(lines: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await lines.return(undefined)),
  });
}

function quote(cell: string): string {
  const isFormula = /^\s*[=+\-@＝＋－＠\t\r]/.test(cell);
  // A spreadsheet that separates cells by semicolons or tabs ends a cell at each of them.
  const inner = cell.replace(/(?<=[;\t\r\n][\s";]*)[=+\-@＝＋－＠]/g, "'$&");
  const harmless = isFormula ? `'${inner}` : inner;
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
