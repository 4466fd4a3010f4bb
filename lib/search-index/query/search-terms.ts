import { asciiDigits, isAscii } from "#lib/text/fold-text.ts";
import { isPhoneLike, nationalDigits } from "#lib/text/phone.ts";
import { backwards, prefixesOf, searchWords, phoneticToken } from "#lib/text/search-text.ts";

/** One condition of a search. */
export interface SearchTerm {
  /** The folded input. */
  letters: string;
  /** A record matches if one of its tokens begins with one of these: see searchTokens. */
  heads: string[];
  /** Whole words of the index that match too. */
  words?: readonly string[];
  /** Of these, the words that contain the letters. */
  within?: readonly string[];
  /** Phonetic form for similar spellings; null for exact matches only. */
  sound: string | null;
}

/** Shorter sounds and numbers match too much. */
const FEWEST_HEARD = 3;
/** Minimum length of a phone number's last digits. */
const FEWEST_LAST_DIGITS = 4;
const FEWEST_PHONE_DIGITS = 7;
const MOST_TERMS = 8;
const LONGEST_TYPED = 500;

/**
 * Splits the input into terms: words by their letters or sound, and phone numbers in any spelling,
 * also in several pieces.
 */
export function searchTerms(text: string): SearchTerm[] {
  return pieces(text.slice(0, LONGEST_TYPED))
    .flatMap((piece) =>
      isPhoneLike(piece) ? numberTerm(piece) : searchWords(piece).map(wordTerm),
    )
    .slice(0, MOST_TERMS);
}

/** Splits at spaces but keeps phone numbers whole. */
function pieces(text: string): string[] {
  const all: string[] = [];
  let number: string[] = [];
  const endNumber = () => {
    const whole = number.join(" ");
    const isPhone = /^(\+|00)/.test(whole) || digitsOf(whole).length >= FEWEST_PHONE_DIGITS;
    all.push(...(isPhone ? [whole] : number));
    number = [];
  };
  for (const piece of text.trim().split(/\s+/)) {
    if (isPhoneLike(piece)) {
      number.push(asciiDigits(piece));
      continue;
    }
    endNumber();
    all.push(piece);
  }
  endNumber();
  return all.filter(Boolean);
}

const digitsOf = (text: string) => text.replace(/\D/g, "");

function numberTerm(letters: string): SearchTerm[] {
  const national = nationalDigits(letters);
  // Also unchanged, for an id's prefix; only as a single piece, because a country code would match
  // too.
  const digits = digitsOf(letters);
  // Zeros alone match too much.
  const head = national.length < Math.min(FEWEST_HEARD, digits.length) ? "" : national;
  const forms = [head, digits, /\s/.test(letters) ? "" : letters];
  const ends = [national, digits].filter((end) => end.length >= FEWEST_LAST_DIGITS);
  const heads = [...new Set([...forms.filter(Boolean), ...ends.map(backwards)])];
  return digits ? [{ letters, heads, sound: null }] : [];
}

function wordTerm(letters: string): SearchTerm {
  const mark = /\p{L}/u.test(letters) && !letters.includes("@") ? phoneticToken(letters) : null;
  const isTelling = mark !== null && mark.length >= FEWEST_HEARD;
  // In another script the name is meant, not its letters.
  const isForeign = mark !== null && !isAscii(letters);
  return {
    letters,
    heads: [...prefixesOf(letters), ...(isTelling || isForeign ? [mark] : [])],
    sound: isTelling && mark.length > FEWEST_HEARD ? mark : null,
  };
}
