/** So that a spreadsheet reads the file as UTF-8. */
export const BYTE_ORDER_MARK = "\uFEFF";

/** One line; a cell that a spreadsheet would take for a formula is made plain text. */
export function csvLine(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quote(cell ?? "")).join(",")}\r\n`;
}

/** For saving under that name. @param body lines that begin with the byte order mark */
export function csvResponse(filename: string, body: string | ReadableStream): Response {
  return new Response(body, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${filename}"`,
      "cache-control": "no-store",
    },
  });
}

function quote(cell: string): string {
  const harmless = /^\s*[=+\-@＝＋－＠\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
