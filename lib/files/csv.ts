import { fileResponse } from "./file-response.ts";

/** So that a spreadsheet reads the file as UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** One line; a cell that a spreadsheet would take for a formula is made plain text. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quote(cell ?? "")).join(",")}\r\n`;
}

export const CSV_TYPE = "text/csv; charset=utf-8";

/** For saving under that name. @param body lines that begin with the byte order mark */
export const csvResponse = (filename: string, body: string | ReadableStream): Response =>
  fileResponse(filename, CSV_TYPE, body);

/** Reads on only while the browser takes it. */
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
  // Where lists are parted by semicolons or tabs, a cell ends at each of them, and may begin with a quote.
  const inner = cell.replace(/(?<=[;\t\r\n][\s";]*)[=+\-@＝＋－＠]/g, "'$&");
  const harmless = isFormula ? `'${inner}` : inner;
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
