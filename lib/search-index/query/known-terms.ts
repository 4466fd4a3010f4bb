import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { editDistance } from "#lib/text/edit-distance.ts";
import { isKnownWord, soundOfName } from "#lib/text/search-text.ts";
import type { SearchTerm } from "./search-terms.ts";

/** Letters within a word are looked for when there are as many as these. */
const FEWEST_WITHIN = 3;
const MOST_WITHIN = 50;
/** A beginning that more words have is looked for as a beginning. */
const MOST_BEGUN = 20;
/** From 0 to 1: what pg_trgm's word_similarity must come to, so that slips are counted at all. */
const LIKE_ENOUGH = "0.3";
const MOST_COMPARED = 200;
const MOST_NEAR = 10;
/** One slip in so many letters, and one in fewer. */
const LETTERS_A_SLIP = 3;
/** Nobody means a longer name, and comparing takes its time. */
const LONGEST_SOUND = 40;

/**
 * The same terms with the names that they may mean: those that begin so take the place of the beginning,
 * since whole words are found at a fraction of the cost, and those that have the letters within them.
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

/** Without names whose sound is among them: whoever bears such a name has its sound too. */
const withoutHeard = (words: string[]) =>
  words.filter((word) => !words.includes(soundOfName(word) ?? ""));

const isWithin = (letters: string) =>
  letters.length >= FEWEST_WITHIN && /^[\p{L}\p{M}]+$/u.test(letters);

export interface SimilarTerm {
  word: string;
  /** From 0 to 1. */
  similarity: number;
}

/** The sounds in a copy's names that are a slip or two from a term's: those with the fewest. */
export async function similarTerms(
  client: Database,
  { seller_id, mode }: KeyOwner,
  sound: string,
): Promise<SimilarTerm[]> {
  if (sound.length > LONGEST_SOUND) return [];
  // Within the reader's transaction: the index takes the limit out of the setting.
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

/** Of the whole word, or of its beginning, which is a little less near. */
const slipsBetween = (sound: string, word: string) =>
  Math.min(editDistance(sound, word), editDistance(sound, word.slice(0, sound.length)) + 0.5);
