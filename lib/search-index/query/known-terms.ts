import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { editDistance } from "#lib/text/edit-distance.ts";
import { isKnownWord, soundOfName } from "#lib/text/search-text.ts";
import type { SearchTerm } from "./search-terms.ts";

/** Minimum letters for a match inside a word. */
const FEWEST_WITHIN = 3;
const MOST_WITHIN = 50;
/** A prefix of more words than this is searched as a prefix, not word by word. */
const MOST_BEGUN = 20;
const LIKE_ENOUGH = "0.3";
const MOST_COMPARED = 200;
const MOST_NEAR = 10;
/** One edit is allowed per this many letters, and one in shorter words. */
const LETTERS_A_SLIP = 3;
/** Longer names are not compared, because comparing takes time. */
const LONGEST_SOUND = 40;

/**
 * Adds the known names that each term may mean: names with the prefix replace it, since whole words
 * are found much faster, and names that contain the letters.
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

/** Drops names whose sound is in the list too, because every such name has that sound. */
const withoutHeard = (words: string[]) =>
  words.filter((word) => !words.includes(soundOfName(word) ?? ""));

const isWithin = (letters: string) =>
  letters.length >= FEWEST_WITHIN && /^[\p{L}\p{M}]+$/u.test(letters);

export interface SimilarTerm {
  word: string;
  similarity: number;
}

/** The indexed sounds within one or two edits of a term's: those with the fewest edits. */
export async function similarTerms(
  client: Database,
  { seller_id, mode }: KeyOwner,
  sound: string,
): Promise<SimilarTerm[]> {
  if (sound.length > LONGEST_SOUND) return [];
  // Set within the reader's transaction, because the index reads the threshold from the setting.
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

/** Edit distance to the whole word, or a little more for its prefix. */
const slipsBetween = (sound: string, word: string) =>
  Math.min(editDistance(sound, word), editDistance(sound, word.slice(0, sound.length)) + 0.5);
