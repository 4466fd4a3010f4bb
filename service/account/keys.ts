import type { FastifyInstance } from "fastify";
import {
  AccountKey,
  AccountKeyPage,
  ChangeKey,
  CreateKey,
  ISSUED_KEY_HEADER,
  RollKey,
} from "#contract/account.ts";
import { KEY_SCOPES, type KeyScope } from "#contract/names.ts";
import type { ServiceContext } from "../context.ts";
import type { Database } from "../db/database.ts";
import { ApiError, detailError, notFoundError } from "../http/errors.ts";
import { requireRecordId } from "../http/ids.ts";
import { pagedList } from "../http/pagination.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import {
  countKeys,
  countWorkingKeys,
  insertKey,
  keyStateOf,
  lockKey,
  selectKeys,
  updateKey,
  type KeyRow,
} from "../sellers/key-store.ts";
import { lockSeller } from "../sellers/store.ts";

/** The most keys and tokens of a seller that work at a time. */
const MAX_WORKING_KEYS = 100;
const HOUR = 60 * 60 * 1_000;

/** Keys end and overlap by the real time, not by the seller's clock. */
export function keyRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, mode, now } = context;
  const present = (row: KeyRow) => presentKey(row, now());

  api.get(
    "/keys/",
    withRouteDoc({
      summary: "List API keys",
      description: "Keys and account tokens, newest first, without their secrets.",
      isPaged: true,
      answer: AccountKeyPage,
    }),
    pagedList(publicUrl, async (sellerId, paging) => {
      const count = await countKeys(pool, sellerId);
      const rows = await selectKeys(pool, sellerId, paging);
      return { count, results: rows.map(present) };
    }),
  );

  api.post(
    "/keys/",
    writeRoute(context, {
      summary: "Make an API key",
      description: `Makes a key of this host's mode. The key is in the header \`${ISSUED_KEY_HEADER}\` of this answer and is not shown again.`,
      status: 201,
      success: "Made; the key is in a header",
      answer: AccountKey,
      secretHeader: ISSUED_KEY_HEADER,
      schema: CreateKey,
      work: async ({ database, seller: { seller_id } }, input, _request, reply) => {
        const end = endOf(input.expires_at, now());
        await requireRoom(database, seller_id, now());
        const { text, row } = await insertKey(database, {
          seller_id,
          mode,
          name: input.name,
          scopes: inOrder(input.scopes),
          expires_at: end,
          created_at: now(),
        });
        reply.header(ISSUED_KEY_HEADER, text);
        return present(row);
      },
    }),
  );

  api.patch(
    "/keys/:id/",
    writeRoute(context, {
      summary: "Change an API key",
      description: "Changes its name, scopes or expiry, from the next request on.",
      answer: AccountKey,
      schema: ChangeKey,
      work: async ({ database, seller }, change, { params }) => {
        const row = await requireWorkingKey(database, seller.seller_id, params.id, now());
        if (change.scopes && row.kind === "account_token")
          throw new ApiError(400, { scopes: ["An account token has no scopes."] });
        const changed = await updateKey(database, seller.seller_id, {
          ...row,
          name: change.name ?? row.name,
          scopes: change.scopes ? inOrder(change.scopes) : row.scopes,
          expires_at:
            change.expires_at === undefined ? row.expires_at : endOf(change.expires_at, now()),
        });
        return present(changed);
      },
    }),
  );

  api.post(
    "/keys/:id/roll/",
    writeRoute(context, {
      summary: "Replace an API key",
      description: `Makes a key or token with the same name, scopes and lifetime, which is in the header \`${ISSUED_KEY_HEADER}\` of this answer. The old one works for the given hours; with 0 it is revoked at once, as a leaked key must be.`,
      status: 201,
      success: "Replaced; the new key is in a header",
      answer: AccountKey,
      secretHeader: ISSUED_KEY_HEADER,
      schema: RollKey,
      work: async (
        { database, seller: { seller_id } },
        { overlap_hours },
        { params },
        reply,
      ) => {
        const at = now();
        await lockSeller(database, seller_id);
        const old = await requireWorkingKey(database, seller_id, params.id, at);
        if (overlap_hours > 0) await requireRoom(database, seller_id, at);
        const { text, row } = await insertKey(database, {
          ...old,
          seller_id,
          created_at: at,
          expires_at: old.expires_at && new Date(+at + (+old.expires_at - +old.created_at)),
        });
        const end = new Date(+at + overlap_hours * HOUR);
        await updateKey(database, seller_id, {
          ...old,
          is_active: overlap_hours > 0,
          expires_at: old.expires_at && old.expires_at < end ? old.expires_at : end,
        });
        reply.header(ISSUED_KEY_HEADER, text);
        return present(row);
      },
    }),
  );

  api.post(
    "/keys/:id/revoke/",
    writeRoute(context, {
      summary: "Revoke an API key",
      description: "Switches a key or token off for good, from the next request on.",
      answer: AccountKey,
      work: async ({ database, seller }, _, { params }) => {
        const row = await lockKey(database, seller.seller_id, requireRecordId(params.id));
        if (!row) throw notFoundError();
        return present(
          await updateKey(database, seller.seller_id, { ...row, is_active: false }),
        );
      },
    }),
  );
}

const presentKey = ({ is_active, ...row }: KeyRow, now: Date): AccountKey => ({
  ...row,
  state: keyStateOf({ is_active, expires_at: row.expires_at }, now),
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at?.toISOString() ?? null,
  last_used_at: row.last_used_at?.toISOString() ?? null,
});

const inOrder = (scopes: readonly KeyScope[]) =>
  KEY_SCOPES.filter((scope) => scopes.includes(scope));

function endOf(text: string | null, now: Date): Date | null {
  if (text === null) return null;
  const end = new Date(text);
  if (end <= now) throw new ApiError(400, { expires_at: ["Choose a later time."] });
  return end;
}

/** @throws 400 at the limit; the seller stays locked, so that two requests cannot both pass it */
async function requireRoom(database: Database, sellerId: number, now: Date) {
  await lockSeller(database, sellerId);
  if ((await countWorkingKeys(database, sellerId, now)) >= MAX_WORKING_KEYS)
    throw detailError(400, `An account can have ${MAX_WORKING_KEYS} keys. Revoke one first.`);
}

/** @throws 404 for an unknown key or another seller's, 400 for one that has ended */
async function requireWorkingKey(database: Database, sellerId: number, id: string, now: Date) {
  const row = await lockKey(database, sellerId, requireRecordId(id));
  if (!row) throw notFoundError();
  const state = keyStateOf(row, now);
  if (state !== "active")
    throw detailError(400, `This key is ${state}. Make a new one instead.`);
  return row;
}
