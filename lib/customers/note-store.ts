import "server-only";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { inTransaction, type Database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { searchTokens } from "#lib/text/search-text.ts";
import { termPrefix } from "#lib/search-index/records/terms.ts";
import { MAX_CUSTOMER_NOTES, type CustomerNote } from "./rules.ts";

/** A member who reads or writes notes of a seller. */
export interface NoteReader extends KeyOwner {
  person_id: string;
  /** Whether they may remove notes of others. */
  may_remove_all: boolean;
}

/** A customer's notes, newest first. @param keys of their phone; see customerKeys */
export async function readNotes(
  db: Database,
  { seller_id, mode, person_id, may_remove_all }: NoteReader,
  keys: readonly string[],
): Promise<CustomerNote[]> {
  const { rows } = await db.query<Omit<CustomerNote, "at"> & { at: Date }>(
    `select id, text, at, person_name, ($4 or person_id = $5) as may_remove from customer_note
      where seller_id = $1 and mode = $2 and phone_key = any($3) order by id desc limit $6`,
    [seller_id, mode, keys, may_remove_all, person_id, MAX_CUSTOMER_NOTES],
  );
  return rows.map(({ at, ...note }) => ({ ...note, at: at.toISOString() }));
}

/** @throws AppError `conflict` if the customer has too many notes */
export async function addNote(
  pool: Pick<pg.Pool, "connect">,
  {
    seller_id,
    mode,
    person_id,
    person_name,
  }: Omit<NoteReader, "may_remove_all"> & { person_name: string },
  keys: readonly string[],
  text: string,
): Promise<void> {
  const words = searchTokens({ names: [], phones: [], words: text.split(/\s+/) });
  await inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 124))", [
      `${seller_id} ${mode} ${keys[0]}`,
    ]);
    const { rows } = await client.query(
      `insert into customer_note (seller_id, mode, phone_key, text, person_id, person_name, words)
       select $1::uuid, $2, ($3::text[])[1], $4, $5::uuid, $6,
              array_to_tsvector(array(select $7 || unnest($8::text[])))
        where (select count(*) from customer_note
                where seller_id = $1 and mode = $2 and phone_key = any($3)) < $9
       returning id`,
      [
        seller_id,
        mode,
        keys,
        text,
        person_id,
        person_name,
        termPrefix({ seller_id, mode }),
        words,
        MAX_CUSTOMER_NOTES,
      ],
    );
    if (rows.length > 0) return;
    const detail = message("tags.problems.tooManyNotes", { count: MAX_CUSTOMER_NOTES });
    throw new AppError({ kind: "conflict", detail });
  });
}

/** @throws AppError `not_found`, also for another member's note */
export async function removeNote(
  db: Database,
  { seller_id, mode, person_id, may_remove_all }: NoteReader,
  id: string,
): Promise<void> {
  const { rows } = await db.query(
    `delete from customer_note
      where seller_id = $1 and mode = $2 and id = $3 and ($4 or person_id = $5) returning id`,
    [seller_id, mode, id, may_remove_all, person_id],
  );
  if (rows.length === 0) throw new AppError({ kind: "not_found" });
}
