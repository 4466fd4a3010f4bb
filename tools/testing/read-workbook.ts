import { crc32, inflateRawSync } from "node:zlib";

/** The files of a ZIP by name, read by its central directory. */
function unzip(file: Buffer): Map<string, string> {
  const end = file.lastIndexOf(Buffer.from("PK\x05\x06"));
  const parts = new Map<string, string>();
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extra, comment] = [28, 30, 32].map((to) => file.readUInt16LE(at + to));
    const name = file.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    const local = file.readUInt32LE(at + 42);
    const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const packed = file.subarray(start, start + file.readUInt32LE(at + 20));
    const content = file.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed;
    if (crc32(content) !== file.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`);
    parts.set(name, content.toString("utf8"));
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return parts;
}

/** A cell as a spreadsheet reads it. */
interface ReadCell {
  kind: "text" | "number" | "formula";
  value: string;
}

/** The rows of each sheet, by column; empty cells are omitted. */
export function readWorkbook(file: Buffer): Record<string, ReadCell>[][] {
  const parts = unzip(file);
  const sheets = [...parts.keys()].filter((name) => name.startsWith("xl/worksheets/")).sort();
  return sheets.map((name) =>
    [...(parts.get(name) ?? "").matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = ""]) =>
      Object.fromEntries(
        [...row.matchAll(/<c r="([A-Z]+)\d+"([^>]*)>(.*?)<\/c>/gs)].map(
          ([, column = "", given = "", inner = ""]) => [column, readCell(given, inner)],
        ),
      ),
    ),
  );
}

function readCell(given: string, inner: string): ReadCell {
  const value = /<(?:t|v)(?: [^>]*)?>(.*?)<\/(?:t|v)>/s.exec(inner)?.[1] ?? "";
  const isText = given.includes('t="inlineStr"');
  const kind = inner.includes("<f") ? "formula" : isText ? "text" : "number";
  return { kind, value: unescape(value) };
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

const unescape = (text: string) =>
  text
    .replace(/&(\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replace(/_x([\da-fA-F]{4})_/g, (_whole, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
