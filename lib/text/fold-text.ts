/** Removes what people leave out or interchange: accents, nukta, joiners, ँ for ं, ४ for 4. */
export function foldText(text: string): string {
  // Fast path for most texts.
  if (isAscii(text)) return text.toLowerCase();
  return asciiDigits(text)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u093c\u200c\u200d]/g, "")
    .replaceAll("ँ", "ं")
    .toLowerCase();
}

export const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text);

export function asciiDigits(text: string): string {
  return text.replace(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966));
}
