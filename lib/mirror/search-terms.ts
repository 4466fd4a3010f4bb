import { asciiDigits } from "#lib/fold-text.ts";
import { isPhoneLike, nationalDigits } from "#lib/phone.ts";
import { searchWords, soundMark } from "#lib/search-text.ts";

/** One thing that a record must hold to be found. */
export interface SearchTerm {
  /** As it was typed, folded. */
  letters: string;
  /** Patterns for LIKE over a searchText, of which one must fit. */
  patterns: string[];
  /** How it sounds, for what is spelled nearly so; null where only the exact counts. */
  sound: string | null;
}

/** A term with fewer letters is looked for at the head of a word alone. */
const FEWEST_WITHIN = 3;
const FEWEST_PHONE_DIGITS = 7;
const MOST_TERMS = 8;

/**
 * What was typed, term by term: words by their letters or by their sound, and phone numbers however
 * they are written, also in several pieces.
 */
export function searchTerms(text: string): SearchTerm[] {
  return pieces(text)
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
  // As it stands too, for an id's beginning; in one piece alone, or a country code would do.
  const forms = [nationalDigits(letters), digitsOf(letters), /\s/.test(letters) ? "" : letters];
  const patterns = [...new Set(forms.filter(Boolean))].map(holding);
  return digitsOf(letters) ? [{ letters, patterns, sound: null }] : [];
}

function wordTerm(letters: string): SearchTerm {
  const mark = /\p{L}/u.test(letters) && !letters.includes("@") ? soundMark(letters) : null;
  const heard = mark === null ? [] : [`% ${escapeLike(mark)}%`];
  const isTelling = mark !== null && mark.length >= FEWEST_WITHIN;
  // The database's index knows no letters but ASCII's: others are found by their sound alone.
  const isForeign = /\P{ASCII}/u.test(letters) && heard.length > 0;
  return {
    letters,
    patterns: isForeign ? heard : [holding(letters), ...(isTelling ? heard : [])],
    sound: isTelling && mark.length > FEWEST_WITHIN ? mark.slice(1) : null,
  };
}

const holding = (word: string) =>
  word.length < FEWEST_WITHIN ? `% ${escapeLike(word)}%` : `%${escapeLike(word)}%`;

/** Signs that have a meaning in a pattern stand for themselves. */
export const escapeLike = (text: string) => text.replace(/[\\%_]/g, "\\$&");
