import { textOn } from "#contract/color.ts";
import { DEFAULT_COLOR } from "#lib/format/checkout-look.ts";

const escapeHtml = (text: string) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/**
 * A button for any site, as HTML without a script.
 * @param color of the business at its checkout, as #rrggbb; null for the default
 */
export function buttonHtml(button: {
  address: string;
  text: string;
  color: string | null;
}): string {
  const color = button.color ?? DEFAULT_COLOR;
  const style = [
    "display:inline-block",
    "padding:14px 22px",
    "border-radius:8px",
    `background:${color}`,
    `color:${textOn(color)}`,
    "font:600 16px/1.25 system-ui,sans-serif",
    "text-decoration:none",
  ].join(";");
  return `<a href="${escapeHtml(button.address)}" style="${style}">${escapeHtml(button.text)}</a>`;
}

const segmenter = new Intl.Segmenter();
const charactersOf = (text: string) =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

/**
 * A text in lines for a poster, broken between words; a word longer than a line is broken, and what
 * does not fit the last line is left out with an ellipsis.
 * @param width of a line in characters, as a reader counts them
 */
export function posterLines(text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  let line = "";
  const words = text.trim().split(/\s+/u);
  for (const word of words.flatMap((one) => brokenWord(one, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (charactersOf(longer).length <= width) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = word;
  }
  if (line !== "") lines.push(line);
  if (lines.length <= most) return lines;
  const last = charactersOf(lines[most - 1] ?? "").slice(0, width - 1);
  return [...lines.slice(0, most - 1), `${last.join("")}…`];
}

function brokenWord(word: string, width: number): string[] {
  const characters = charactersOf(word);
  return Array.from({ length: Math.ceil(characters.length / width) }, (_, part) =>
    characters.slice(part * width, (part + 1) * width).join(""),
  );
}
