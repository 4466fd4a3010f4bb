import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";

export type Weight = "regular" | "bold";
export const SCRIPTS = ["latin", "latin-ext", "devanagari"] as const;
type Script = (typeof SCRIPTS)[number];

/** A piece of a text that one font can write. */
export interface Run {
  text: string;
  script: Script;
}

const WEIGHTS: Record<Weight, number> = { regular: 400, bold: 700 };
const files = new Map<string, Buffer>();

/** The bytes of Mukta, a font with a file for each script and weight; each is read once. */
export function fontFile(script: Script, weight: Weight): Buffer {
  const name = `@fontsource/mukta/files/mukta-${script}-${WEIGHTS[weight]}-normal.woff`;
  const known = files.get(name);
  if (known) return known;
  const file = toTrueType(readFileSync(fileURLToPath(import.meta.resolve(name))));
  files.set(name, file);
  return file;
}

/** The font of a WOFF file; the library would inflate its tables again for each glyph. */
function toTrueType(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + count * 16);
  woff.copy(head, 0, 4, 8);
  const power = Math.floor(Math.log2(count));
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(16 * 2 ** power, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(16 * (count - 2 ** power), 10);
  const tables: Buffer[] = [];
  let offset = head.length;
  for (let index = 0; index < count; index += 1) {
    const at = 44 + index * 20;
    const [start, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field));
    const bytes = woff.subarray(start, (start ?? 0) + (packed ?? 0));
    const table = packed === length ? bytes : inflateSync(bytes);
    const entry = 12 + index * 16;
    woff.copy(head, entry, at, at + 4);
    woff.copy(head, entry + 4, at + 16, at + 20);
    head.writeUInt32BE(offset, entry + 8);
    head.writeUInt32BE(table.length, entry + 12);
    const padding = Buffer.alloc((4 - (table.length % 4)) % 4);
    tables.push(table, padding);
    offset += table.length + padding.length;
  }
  return Buffer.concat([head, ...tables]);
}

const DEVANAGARI = /[\u0900-\u097f\u1cd0-\u1cff\u20b9\ua8e0-\ua8ff]|\u200c|\u200d/;
const LATIN =
  /[\u0020-\u007e\u00a0-\u00ff\u0131\u0152\u0153\u02bb\u02bc\u02c6\u02da\u02dc\u2002-\u200b\u2010-\u2015\u2018-\u201e\u2020\u2022\u2026\u2039\u203a\u2044\u20ac\u2122\u2190-\u2193\u2212]/;
const LATIN_EXTENDED = /[\u0100-\u02af\u1e00-\u1eff\u20a0-\u20c0\u2c60-\u2c7f]/;

/**
 * Cuts a text into runs, each of which one font can write. A space stays with the script before it;
 * a character that no font has becomes "?".
 */
export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  for (const character of text.normalize("NFC")) {
    const before = runs.at(-1);
    const script = scriptOf(character, before?.script);
    const written = script === null ? "?" : character;
    if (before && before.script === (script ?? "latin")) before.text += written;
    else runs.push({ text: written, script: script ?? "latin" });
  }
  return runs;
}

function scriptOf(character: string, before: Script | undefined): Script | null {
  if (character === " " && before) return before;
  if (DEVANAGARI.test(character)) return "devanagari";
  if (LATIN.test(character)) return "latin";
  return LATIN_EXTENDED.test(character) ? "latin-ext" : null;
}
