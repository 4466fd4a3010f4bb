import { asciiDigits, isAscii } from "#lib/text/fold-text.ts";
import { isPhoneLike, nationalDigits } from "#lib/text/phone.ts";
import { backwards, prefixesOf, searchWords, phoneticToken } from "#lib/text/search-text.ts";

/** One thing that a record must hold to be found. */
export interface SearchTerm {
  /** As it was typed, folded. */
  letters: string;
  /** Of the words that a record is found by, one must begin with one of these: see searchTokens. */
  heads: string[];
  /** Whole words that will do as well, as the vocabulary of the copy has them. */
  words?: readonly string[];
  /** Of these, those that have the letters within them. */
  within?: readonly string[];
  /** How it sounds, for what is spelled nearly so; null where only the exact counts. */
  sound: string | null;
}

/** A sound with fewer letters tells nothing, nor does what is left of a number. */
const FEWEST_HEARD = 3;
/** A phone's last digits are looked for when there are as many as these. */
const FEWEST_LAST_DIGITS = 4;
const FEWEST_PHONE_DIGITS = 7;
const MOST_TERMS = 8;
const LONGEST_TYPED = 500;

/**
 * What was typed, term by term: words by their letters or by their sound, and phone numbers however
 * they are written, also in several pieces.
 */
export function searchTerms(text: string): SearchTerm[] {
  return pieces(text.slice(0, LONGEST_TYPED))
    .flatMap((piece) =>
      isPhoneLike(piece) ? numberTerm(piece) : searchWords(piece).map(wordTerm),
    )
    .slice(0, MOST_TERMS);
}

/** At the blanks, but a phone number stays whole. */
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
  // As it stands too, for an id's beginning; in one piece alone, or a country code would do.
  const digits = digitsOf(letters);
  // What is left of zeros alone tells nothing.
  const head = national.length < Math.min(FEWEST_HEARD, digits.length) ? "" : national;
  const forms = [head, digits, /\s/.test(letters) ? "" : letters];
  const ends = [national, digits].filter((end) => end.length >= FEWEST_LAST_DIGITS);
  const heads = [...new Set([...forms.filter(Boolean), ...ends.map(backwards)])];
  return digits ? [{ letters, heads, sound: null }] : [];
}

function wordTerm(letters: string): SearchTerm {
  const mark = /\p{L}/u.test(letters) && !letters.includes("@") ? phoneticToken(letters) : null;
  const isTelling = mark !== null && mark.length >= FEWEST_HEARD;
  // Who writes another script means the name, not its letters.
  const isForeign = mark !== null && !isAscii(letters);
  return {
    letters,
    heads: [...prefixesOf(letters), ...(isTelling || isForeign ? [mark] : [])],
    sound: isTelling && mark.length > FEWEST_HEARD ? mark : null,
  };
}
