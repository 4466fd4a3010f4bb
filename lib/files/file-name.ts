// A header, because an address is written to logs.
const HEADER = "x-file-name";
const MAX_NAME = 200;

/** The header of an upload that says the name of its file. */
export const fileNameHeader = (name: string): Record<string, string> => ({
  [HEADER]: encodeURIComponent(name.slice(0, MAX_NAME).toWellFormed()),
});

/** The file name in an upload's header, in one line and without folders; empty if there is none. */
export function readFileName({ headers }: Pick<Request, "headers">): string {
  let name = "";
  try {
    name = decodeURIComponent(headers.get(HEADER) ?? "");
  } catch {
    // A name that cannot be decoded is left out.
  }
  return name
    .replace(/^.*[/\\]/, "")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();
}
