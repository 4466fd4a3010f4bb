import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { queryRow, queryValue, type Database } from "../db/database.ts";
import type { Seller } from "../sellers/store.ts";
import { ApiError, detailError } from "./errors.ts";
import { bodyText } from "./server.ts";
import type { WriteAnswer } from "./write.ts";

const LIFETIME = 24 * 60 * 60 * 1000;
const MAX_LENGTH = 255;

/** @throws 400 for a key that is empty or too long */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key !== "string" || key.length < 1 || key.length > MAX_LENGTH)
    throw detailError(400, `An Idempotency-Key has 1 to ${MAX_LENGTH} characters.`);
  return key;
}

interface Keyed {
  seller: Seller;
  key: string;
  request: FastifyRequest;
  reply: FastifyReply;
  now: Date;
}

/**
 * Runs the work of a key once in 24 hours and repeats its answer afterwards. The answer is
 * stored in the work's own transaction: after a crash there is either both or neither.
 */
export async function runOnce(
  database: Database,
  { seller, key, request, reply, now }: Keyed,
  work: () => Promise<WriteAnswer>,
): Promise<WriteAnswer> {
  const place = [seller.seller_id, key] as const;
  if (!(await lockKey(database, place)))
    throw detailError(409, "A request with this Idempotency-Key is still running.");
  const hash = hashOf(request);
  const since = new Date(now.getTime() - LIFETIME);
  const stored = await findAnswer(database, place, since);
  if (stored) {
    if (!stored.request_hash.equals(hash))
      throw detailError(422, "This Idempotency-Key was used for another request.");
    reply.header("idempotent-replayed", "true");
    return { status: stored.status, body: JSON.parse(stored.body) as object };
  }
  const answer = await runWork(database, work);
  await storeAnswer(database, place, { hash, answer, now });
  await forgetExpired(database, seller.seller_id, since);
  return answer;
}

/** A refusal (4xx) is an answer too: its changes are rolled back, and it is repeated. */
async function runWork(
  database: Database,
  work: () => Promise<WriteAnswer>,
): Promise<WriteAnswer> {
  await database.query("savepoint work");
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    await database.query("rollback to savepoint work");
    return error;
  }
}

const hashOf = (request: FastifyRequest) =>
  createHash("sha256")
    .update(`${request.method} ${request.url}\n${bodyText(request)}`)
    .digest();

type Place = readonly [sellerId: number, key: string];

/** Takes an advisory lock, which is held until the transaction or its connection ends. */
const lockKey = (database: Database, [sellerId, key]: Place) =>
  queryValue<boolean>(
    database,
    "select pg_try_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))",
    [String(sellerId), key],
  );

/**
 * The row lock makes a repeated answer a write, whose commit waits for the replica as the first one
 * did: on a primary that is shutting down, another process can read the first answer before a
 * replica has it.
 */
const findAnswer = (database: Database, place: Place, since: Date) =>
  queryRow<{ request_hash: Buffer; status: number; body: string }>(
    database,
    `select request_hash, status, body from idempotency_key
     where seller_id = $1 and key = $2 and created_at > $3 for update`,
    [...place, since],
  );

const storeAnswer = (
  database: Database,
  place: Place,
  { hash, answer, now }: { hash: Buffer; answer: WriteAnswer; now: Date },
) =>
  database.query(
    `insert into idempotency_key (seller_id, key, request_hash, status, body, created_at)
     values ($1, $2, $3, $4, $5, $6)
     on conflict (seller_id, key) do update set request_hash = excluded.request_hash,
       status = excluded.status, body = excluded.body, created_at = excluded.created_at`,
    [...place, hash, answer.status, JSON.stringify(answer.body), now],
  );

/** Deletes a few expired answers with each new one, and skips locked ones. */
const forgetExpired = (database: Database, sellerId: number, since: Date) =>
  database.query(
    `delete from idempotency_key where seller_id = $1 and key in (
       select key from idempotency_key
       where seller_id = $1 and created_at <= $2 limit 10 for update skip locked)`,
    [sellerId, since],
  );

/** Deletes at most a thousand expired answers, and returns how many. */
export async function deleteExpiredAnswers(database: Database, now: Date): Promise<number> {
  const { rowCount } = await database.query(
    `delete from idempotency_key where (seller_id, key) in (
       select old.seller_id, old.key from seller s cross join lateral (
         select seller_id, key from idempotency_key
         where seller_id = s.seller_id and created_at <= $1 limit 100 for update skip locked
       ) old limit 1000)`,
    [new Date(now.getTime() - LIFETIME)],
  );
  return rowCount ?? 0;
}
