import "server-only";
import { withoutCallingCode } from "#contract/process/phone-number.ts";
import { asciiDigits, isAscii } from "#lib/text/fold-text.ts";
import { nationalDigits } from "#contract/phone-number.ts";
import {
  reversedDigits,
  isKnownWord,
  phoneticToken,
  prefixesOf,
  searchWords,
  soundOfName,
} from "#lib/text/search-text.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";

/** One condition of a search. */
export interface SearchTerm {
  /** The typed text, folded. */
  letters: string;
  /**
   * Prefixes of tokens: a record matches if one of its tokens begins with one of these; see
   * searchTokens.
   */
  heads: string[];
  /** Whole words of the index that the term also matches. */
  words?: readonly string[];
  /** Those of `words` that contain the letters. */
  within?: readonly string[];
  /** Phonetic form for similar spellings; null for exact matches only. */
  sound: string | null;
}

/** Minimum length of sounds, and of phone numbers without a prefix; shorter ones match too much. */
const FEWEST_HEARD = 3;
/** Minimum length of a phone number's last digits. */
const FEWEST_LAST_DIGITS = 4;
const FEWEST_PHONE_DIGITS = 7;
const MOST_TERMS = 8;
const LONGEST_TYPED = 500;

/**
 * Splits the input into terms: words by their letters or sound, and phone numbers in any spelling,
 * also with spaces.
 */
export function searchTerms(text: string): SearchTerm[] {
  return pieces(text.slice(0, LONGEST_TYPED))
    .flatMap((piece) =>
      isPhoneLike(piece) ? numberTerm(piece) : searchWords(piece).map(wordTerm),
    )
    .slice(0, MOST_TERMS);
}

/** Whether the text can only be a phone number or a part of one. */
const isPhoneLike = (text: string) => /^[+\d\s().-]+$/.test(asciiDigits(text));

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
  const digits = digitsOf(letters);
  // A number of only zeros matches too much.
  const head = national.length < Math.min(FEWEST_HEARD, digits.length) ? "" : national;
  // The number may be stored as it is written within its country.
  const local = withoutCallingCode(letters) ?? "";
  const forms = [
    head,
    digits,
    // As typed, because it may be the beginning of an id, which has no spaces.
    /\s/.test(letters) ? "" : letters,
    local.length < FEWEST_PHONE_DIGITS ? "" : local,
  ];
  const ends = [national, digits, local].filter((end) => end.length >= FEWEST_LAST_DIGITS);
  const heads = [...new Set([...forms.filter(Boolean), ...ends.map(reversedDigits)])];
  return digits ? [{ letters, heads, sound: null }] : [];
}

function wordTerm(letters: string): SearchTerm {
  const mark = /\p{L}/u.test(letters) && !letters.includes("@") ? phoneticToken(letters) : null;
  const isTelling = mark !== null && mark.length >= FEWEST_HEARD;
  // Text in another script is matched by its sound too, however short.
  const isForeign = mark !== null && !isAscii(letters);
  return {
    letters,
    heads: [...prefixesOf(letters), ...(isTelling || isForeign ? [mark] : [])],
    sound: isTelling && mark.length > FEWEST_HEARD ? mark : null,
  };
}

/** Minimum number of letters of a match inside a word. */
const FEWEST_WITHIN = 3;
const MOST_WITHIN = 50;
/** The most known words that replace a prefix; with more, the prefix itself is searched. */
const MOST_BEGUN = 20;
const LIKE_ENOUGH = "0.3";
const MOST_COMPARED = 200;
const MOST_NEAR = 10;
/** One typing error is allowed for this many letters, and at least one in a word. */
const LETTERS_A_SLIP = 3;
/** The longest sound that is compared, because comparing takes time. */
const LONGEST_SOUND = 40;

/**
 * Adds the known words that each term may mean: those that contain its letters, and those that begin
 * with one of its prefixes. If there are few of the latter, they replace the prefix, because whole
 * words are found much faster.
 */
export async function expandTerms(
  db: Database,
  { seller_id, mode }: KeyOwner,
  terms: readonly SearchTerm[],
): Promise<SearchTerm[]> {
  const heads = [...new Set(terms.flatMap((term) => term.heads.filter(isKnownWord)))];
  if (heads.length === 0) return [...terms];
  const within = terms.map(({ letters }) => letters).filter(isWithin);
  const { rows } = await db.query<{ asked: string; word: string }>(
    `select asked, word from unnest($3::text[]) as asked cross join lateral
       (select word from mirror_word
         where seller_id = $1 and mode = $2
           and word >= asked collate "C" and word < asked || chr(1114111) collate "C"
         limit ${MOST_BEGUN + 1}) as begun
     union all
     select asked, word from unnest($4::text[]) as asked cross join lateral
       (select word from mirror_word
         where seller_id = $1 and mode = $2 and word like '=_%' || asked || '%'
         limit ${MOST_WITHIN}) as holding`,
    [seller_id, mode, heads, within],
  );
  const found = Map.groupBy(rows, ({ asked }) => asked);
  const wordsFor = (asked: string) => (found.get(asked) ?? []).map(({ word }) => word);
  return terms.map((term) => {
    const isFew = (head: string) => isKnownWord(head) && wordsFor(head).length <= MOST_BEGUN;
    const held = wordsFor(term.letters);
    const begun = withoutHeard(term.heads.filter(isFew).flatMap(wordsFor));
    const open = term.heads.filter((head) => !isFew(head));
    return { ...term, heads: open, words: [...begun, ...held], within: held };
  });
}

/** Drops names whose sound is also in the list, because the sound finds them too. */
const withoutHeard = (words: string[]) =>
  words.filter((word) => !words.includes(soundOfName(word) ?? ""));

const isWithin = (letters: string) =>
  letters.length >= FEWEST_WITHIN && /^[\p{L}\p{M}]+$/u.test(letters);

export interface SimilarTerm {
  word: string;
  similarity: number;
}

/** The indexed sounds with the fewest edits from a term's sound. */
export async function similarTerms(
  client: Database,
  { seller_id, mode }: KeyOwner,
  sound: string,
): Promise<SimilarTerm[]> {
  if (sound.length > LONGEST_SOUND) return [];
  // Set for the reader's transaction, because the database index takes the threshold from this
  // setting.
  await client.query("select set_config('pg_trgm.word_similarity_threshold', $1, true)", [
    LIKE_ENOUGH,
  ]);
  const { rows } = await client.query<{ word: string }>(
    `select word from mirror_word
      where seller_id = $1 and mode = $2 and word %> $3 and word like '~%'
      order by word_similarity($3, word) desc, word limit ${MOST_COMPARED}`,
    [seller_id, mode, sound],
  );
  const near = rows
    .map(({ word }) => ({ word, slips: slipsBetween(sound, word) }))
    .filter(({ slips }) => slips <= Math.max(1, Math.floor(sound.length / LETTERS_A_SLIP)));
  const fewest = Math.min(...near.map(({ slips }) => slips));
  return near
    .filter(({ slips }) => slips < fewest + 1)
    .slice(0, MOST_NEAR)
    .map(({ word, slips }) => ({ word, similarity: 1 - slips / sound.length }));
}

/** The edit distance to the whole word, or a little more than that to its beginning. */
const slipsBetween = (sound: string, word: string) =>
  Math.min(editDistance(sound, word), editDistance(sound, word.slice(0, sound.length)) + 0.5);

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
export function editDistance(one: string, other: string): number {
  let [before, last] = [
    [] as number[],
    Array.from({ length: other.length + 1 }, (_, at) => at),
  ];
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}
