import "server-only";
import { createHash } from "node:crypto";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { isKnownWord } from "#lib/text/search-text.ts";

/** One version of a seller's index: another API key starts another version. */
export interface IndexOwner extends KeyOwner {
  index_version: string;
}

/** Separates the words of sellers and modes, which share one database index. */
export const termPrefix = ({ seller_id, mode }: KeyOwner): string =>
  createHash("sha256").update(`${seller_id} ${mode}`).digest("base64url").slice(0, 4);

const MOST_REMEMBERED = 50_000;
/** The names already stored, by index version; most names of a batch are among them. */
const remembered = new Map<string, Set<string>>();
let countRemembered = 0;

/** Adds new words of names to the known words. */
export async function learnTerms(
  db: Database,
  { seller_id, mode, index_version }: IndexOwner,
  rows: readonly { words: readonly string[] }[],
): Promise<void> {
  const known = remembered.get(index_version) ?? new Set();
  const fresh = new Set<string>();
  for (const { words } of rows)
    for (const word of words) if (!known.has(word) && isKnownWord(word)) fresh.add(word);
  if (fresh.size === 0) return;
  // The words are durable before they are remembered, even on a worker's connection.
  await db.query(
    `with held as materialized
       (select set_config('synchronous_commit', 'on', true) from mirror
         where seller_id = $1 and mode = $2 and copy = $3 for share)
     insert into mirror_word (seller_id, mode, word)
     select $1, $2, word from held, unnest($4::text[]) as word order by word
     on conflict do nothing`,
    [seller_id, mode, index_version, [...fresh]],
  );
  if (countRemembered > MOST_REMEMBERED) {
    remembered.clear();
    countRemembered = 0;
  }
  const all = remembered.get(index_version) ?? new Set<string>();
  const before = all.size;
  for (const word of fresh) all.add(word);
  remembered.set(index_version, all);
  countRemembered += all.size - before;
}
