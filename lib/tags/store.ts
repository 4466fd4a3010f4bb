import "server-only";
import { queryRows } from "#contract/process/database.ts";
import type pg from "pg";
import { phoneKey, type PhoneHome } from "#contract/phone-number.ts";
import { phoneSpellings } from "#contract/process/phone-number.ts";
import type { SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { type Database, inTransaction } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { findTag } from "#lib/search-index/query/conditions.ts";
import { tagKey } from "#lib/text/fold-text.ts";
import { joinTags, MAX_CUSTOMER_TAGS, MAX_TAGS, type CountedTag } from "./rules.ts";

/**
 * The keys under which a customer's records may have their phone; empty if the text is no phone
 * number.
 */
export const customerKeys = (phone: string, home: PhoneHome): string[] =>
  phoneKey(phone) === "" ? [] : phoneSpellings(phoneKey(phone), home);

/**
 * The keys of a customer's phone.
 * @throws AppError `conflict` if the phone is no number
 */
export async function readCustomerKeys(
  { billing, seller }: SignedIn,
  id: number,
): Promise<string[]> {
  const keys = customerKeys((await billing.getCustomer(id)).buyer_phone, seller);
  if (keys.length > 0) return keys;
  throw new AppError({ kind: "conflict", detail: message("tags.problems.noPhone") });
}

/** Tag names by phone, each list in the order of its names. */
export async function readTagsOf(
  db: Database,
  { seller_id, mode }: KeyOwner,
  phones: readonly string[],
): Promise<(phone: string) => string[]> {
  const keys = [...new Set(phones.map(phoneKey).filter(Boolean))];
  if (keys.length === 0) return () => [];
  const { rows } = await db.query<{ phone_key: string; tags: string[] }>(
    `select c.phone_key, array_agg(t.name order by t.name_key) as tags
       from customer_tag c join tag t using (seller_id, mode)
      where c.seller_id = $1 and c.mode = $2 and c.phone_key = any($3) and t.id = c.tag_id
      group by c.phone_key`,
    [seller_id, mode, keys],
  );
  const known = new Map(rows.map(({ phone_key, tags }) => [phone_key, tags]));
  return (phone) => known.get(phoneKey(phone)) ?? [];
}

/** Batches of rows with the tags of their customers as one text, read a batch at a time. */
export async function* withTags<Row>(
  db: Database,
  owner: KeyOwner,
  batches: AsyncIterable<Row[]>,
  phoneOf: (row: Row) => string,
): AsyncGenerator<(Row & { tags: string })[]> {
  for await (const batch of batches) {
    const tagsOf = await readTagsOf(db, owner, batch.map(phoneOf));
    yield batch.map((row) => ({ ...row, tags: joinTags(tagsOf(phoneOf(row))) }));
  }
}

/** The seller's tags with the number of customers who have each, in the order of their names. */
export const readTags = (db: Database, { seller_id, mode }: KeyOwner) =>
  queryRows<CountedTag>(
    db,
    `select t.id, t.name,
            (select count(*)::integer from customer_tag c
              where c.seller_id = $1 and c.mode = $2 and c.tag_id = t.id and c.is_first) as customers
       from tag t where t.seller_id = $1 and t.mode = $2 order by t.name_key`,
    [seller_id, mode],
  );

/** Tags are written one after the other, so that two concurrent writes cannot exceed a limit. */
const writeTags = <Value>(
  pool: Pick<pg.Pool, "connect">,
  { seller_id, mode }: KeyOwner,
  write: (client: Database) => Promise<Value>,
): Promise<Value> =>
  inTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtextextended($1, 123))", [
      `${seller_id} ${mode}`,
    ]);
    return write(client);
  });

/**
 * Gives customers a tag, which is created if the seller has none of this name.
 * @param people the keys of each customer's phone
 * @returns how many customers have too many tags for another one
 * @throws AppError `conflict` if the seller has too many tags
 */
export const addTag = (
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
  people: readonly string[][],
  name: string,
): Promise<{ full: number }> =>
  writeTags(pool, owner, async (client) => {
    const { seller_id, mode } = owner;
    const tag = await writeTag(client, owner, name);
    const keys = people.flatMap((spellings) =>
      spellings.map((key, at) => ({ key, is_first: at === 0 })),
    );
    const { rows } = await client.query<{ is_first: boolean }>(
      `with given as (
         select distinct on (key) key, is_first from unnest($4::text[], $5::boolean[]) as g(key, is_first)
          where not exists (select from customer_tag c where c.seller_id = $1 and c.mode = $2
                              and c.tag_id = $3 and c.phone_key = key)
          order by key, is_first desc),
       counted as (
         select key, is_first, (select count(*) from customer_tag c where c.seller_id = $1
                                   and c.mode = $2 and c.phone_key = key) < $6 as has_room
           from given),
       written as (
         insert into customer_tag (seller_id, mode, tag_id, phone_key, is_first)
         select $1, $2, $3, key, is_first from counted where has_room)
       select is_first from counted where not has_room`,
      [
        seller_id,
        mode,
        tag,
        keys.map(({ key }) => key),
        keys.map(({ is_first }) => is_first),
        MAX_CUSTOMER_TAGS,
      ],
    );
    return { full: rows.filter(({ is_first }) => is_first).length };
  });

async function writeTag(db: Database, { seller_id, mode }: KeyOwner, name: string) {
  const known = await findTag(db, { seller_id, mode }, name);
  if (known !== null) return known;
  const { rows } = await db.query<{ id: string }>(
    `insert into tag (seller_id, mode, name, name_key) select $1::uuid, $2, $3, $4
      where (select count(*) from tag where seller_id = $1 and mode = $2) < $5 returning id`,
    [seller_id, mode, name, tagKey(name), MAX_TAGS],
  );
  if (!rows[0]) {
    const detail = message("tags.problems.tooManyTags", { count: MAX_TAGS });
    throw new AppError({ kind: "conflict", detail });
  }
  return rows[0].id;
}

/** @param people the keys of each customer's phone */
export async function removeTag(
  db: Database,
  { seller_id, mode }: KeyOwner,
  people: readonly string[][],
  name: string,
): Promise<void> {
  await db.query(
    `delete from customer_tag where seller_id = $1 and mode = $2 and phone_key = any($3)
        and tag_id = (select id from tag where seller_id = $1 and mode = $2 and name_key = $4)`,
    [seller_id, mode, people.flat(), tagKey(name)],
  );
}

/**
 * Renames a tag. If another tag has the name already, the customers get that tag, and the renamed
 * one is deleted.
 * @throws AppError `not_found`
 */
export const renameTag = (
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
  id: string,
  name: string,
): Promise<{ is_merged: boolean }> =>
  writeTags(pool, owner, async (client) => {
    const { seller_id, mode } = owner;
    const other = await findTag(client, owner, name);
    if (other === null || other === id) {
      const { rows } = await client.query(
        `update tag set name = $4, name_key = $5 where seller_id = $1 and mode = $2 and id = $3
          returning id`,
        [seller_id, mode, id, name, tagKey(name)],
      );
      if (rows.length === 0) throw new AppError({ kind: "not_found" });
      return { is_merged: false };
    }
    await client.query(
      `insert into customer_tag (seller_id, mode, tag_id, phone_key, is_first)
       select seller_id, mode, $4, phone_key, is_first from customer_tag
        where seller_id = $1 and mode = $2 and tag_id = $3
       on conflict do nothing`,
      [seller_id, mode, id, other],
    );
    await dropTag(client, owner, id);
    return { is_merged: true };
  });

/** Deletes a tag, and takes it from every customer. @throws AppError `not_found` */
export const deleteTag = (
  pool: Pick<pg.Pool, "connect">,
  owner: KeyOwner,
  id: string,
): Promise<void> => writeTags(pool, owner, (client) => dropTag(client, owner, id));

async function dropTag(db: Database, { seller_id, mode }: KeyOwner, id: string) {
  const { rows } = await db.query(
    "delete from tag where seller_id = $1 and mode = $2 and id = $3 returning id",
    [seller_id, mode, id],
  );
  if (rows.length === 0) throw new AppError({ kind: "not_found" });
}
