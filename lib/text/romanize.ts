import { foldText } from "./fold-text.ts";

/** Romanised Devanagari signs, without the inherent vowel. */
const SIGNS: Record<string, string> = {
  ...letters("अ a आ a इ i ई i उ u ऊ u ऋ ri ए e ऐ ai ओ o औ au ॐ om"),
  ...letters("ा a ि i ी i ु u ू u ृ ri े e ै ai ो o ौ au"),
  ...letters("क k ख kh ग g घ gh ङ ng च ch छ chh ज j झ jh ञ n"),
  ...letters("ट t ठ th ड d ढ dh ण n त t थ th द d ध dh न n"),
  ...letters("प p फ ph ब b भ bh म m य y र r ल l व v श sh ष sh स s ह h"),
  ...letters("ं n"),
};

function letters(pairs: string): Record<string, string> {
  const all = pairs.matchAll(/(\S+) (\S+)/g);
  return Object.fromEntries(Array.from(all, ([, sign = "", latin = ""]) => [sign, latin]));
}

/** Spellings of one sound, replaced in this order. */
const SAME_SOUNDS: [RegExp, string][] = [
  [/sinh\b/g, "singh"],
  [/x/g, "ks"],
  [/ks+h/g, "ks"],
  [/\bks/g, "ch"],
  [/ch+/g, "C"],
  [/c/g, "k"],
  [/([kgjtdpbs])h+/g, "$1"],
  [/f/g, "p"],
  [/z/g, "j"],
  [/q/g, "k"],
  [/[vw]/g, "b"],
  [/ee/g, "i"],
  [/oo|ou/g, "u"],
  // Spellings differ on every "a" except at the start of a word.
  [/(?<=[^\s\d])a/g, ""],
  [/(\p{L})\1+/gu, "$1"],
];

/**
 * A phonetic key, equal for Devanagari and its usual romanisations: "सरस्वती", "Saraswati" and
 * "Sarasvatee" share one. Words are separated by one space; digits stay. The key of a word's prefix
 * is nearly always a prefix of its key.
 */
export function soundKey(text: string): string {
  const latin = foldText(text)
    .replaceAll("ज्ञ", "gy")
    .replace(/ं(?=[पफबभम])/g, "m")
    .replace(/[\u0900-\u097f]/g, (sign) => SIGNS[sign] ?? (sign === "।" ? " " : ""))
    .replace(/['’]/g, "");
  const words = latin
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(" ");
  return SAME_SOUNDS.reduce(
    (key, [sounds, same]) => key.replace(sounds, same),
    words,
  ).toLowerCase();
}
