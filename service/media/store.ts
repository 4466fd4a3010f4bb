import { queryRow, queryValue, type Database } from "../db/database.ts";

/** The path before the name of an image. */
const PATH = "/media/images/";

export const imageUrl = (publicUrl: string, digest: string) =>
  `${publicUrl}${PATH}${digest}.webp`;

/** The SHA-256 in the address of an image of this service; null for any other address. */
export function digestOf(publicUrl: string, url: string): string | null {
  const start = `${publicUrl}${PATH}`;
  if (!url.startsWith(start)) return null;
  return /^([0-9a-f]{64})\.webp$/.exec(url.slice(start.length))?.[1] ?? null;
}

/** The path of an address that has the form of this service's images; null for any other. */
export const ownPathOf = (url: string): string | null =>
  /\/media\/(?:images\/[0-9a-f]{64}\.webp|products\/[a-z0-9-]+\.svg)$/.exec(url)?.[0] ?? null;

/** Anybody may see an image whose name they know. */
export const findImage = async (database: Database, digest: string) =>
  queryValue<Buffer>(database, "select content from image where digest = $1 limit 1", [digest]);

interface EncodedImage {
  digest: string;
  content: Buffer;
}

/** @returns false if the seller has `most` images already; the same image is stored once */
export async function insertImage(
  database: Database,
  sellerId: number,
  { digest, content }: EncodedImage,
  { at, most }: { at: Date; most: number },
): Promise<boolean> {
  const row = await queryRow(
    database,
    `insert into image (seller_id, digest, content, used_at)
     select $1, $2, $3, $4 where (select count(*) from image where seller_id = $1) < $5
       or exists (select from image where seller_id = $1 and digest = $2)
     on conflict (seller_id, digest) do update set used_at = excluded.used_at returning digest`,
    [sellerId, digest, content, at, most],
  );
  return row !== null;
}

/** Notes that images are used, so that they stay. @returns how many of them the seller has */
export async function noteImageUse(
  database: Database,
  sellerId: number,
  digests: string[],
  at: Date,
): Promise<number> {
  const { rowCount } = await database.query(
    "update image set used_at = $3 where seller_id = $1 and digest = any ($2)",
    [sellerId, digests, at],
  );
  return rowCount ?? 0;
}

const DIGEST_IN = (column: string) => `substring(${column} from '([0-9a-f]{64})\\.webp$')`;

/**
 * Deletes at most a hundred images that nothing has named since that time: no product, no checkout
 * and no saved state. @returns how many
 */
export async function deleteUnusedImages(database: Database, before: Date): Promise<number> {
  const { rowCount } = await database.query(
    `delete from image where used_at < $1 and (seller_id, digest) in (
       select i.seller_id, i.digest from image i
       where i.used_at < $1
         and not exists (select from product_image p
           where p.seller_id = i.seller_id and ${DIGEST_IN("p.image")} = i.digest)
         and not exists (select from seller s
           where s.seller_id = i.seller_id and ${DIGEST_IN("s.checkout_logo")} = i.digest)
         and not exists (select from sandbox_state_part p
           where p.seller_id = i.seller_id and p.table_name = 'product_image'
             and strpos(p.rows::text, i.digest) > 0)
       limit 100)`,
    [before],
  );
  return rowCount ?? 0;
}
