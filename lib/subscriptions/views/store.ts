import "server-only";
import { queryRows } from "#contract/process/database.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { AppError } from "#lib/failure.ts";
import { isUniqueViolation, type Database } from "#lib/db/pool.ts";
import { message } from "#lib/i18n/message.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { countMatches } from "#lib/search-index/query/find-rows.ts";
import { indexedSubscriptionQuery } from "../../search-index/query/subscription-query.ts";
import { parseSubscriptionSearch } from "../search.ts";
import type { ViewCount, ViewCounts } from "./queries.ts";
import { MAX_VIEWS, type ViewSearch, type View } from "./rules.ts";

export interface Viewer extends KeyOwner {
  user_id: string;
  /** Whether the user may change shared views. */
  may_share: boolean;
}

const COLUMNS = "id, name, user_id is null as is_shared, query, words";
const VISIBLE = "seller_id = $1 and mode = $2 and (user_id = $3 or user_id is null)";
const THEIRS =
  "seller_id = $1 and mode = $2 and (user_id = $3 or (user_id is null and $4::boolean))";
/** SQL condition: the shared views, or the user's own ones; $5 says which. */
const IN_GROUP = `seller_id = $1 and mode = $2
  and user_id is not distinct from case when $5::boolean then null else $3::uuid end`;

const valuesOf = ({ seller_id, mode, user_id, may_share }: Viewer) => [
  seller_id,
  mode,
  user_id,
  may_share,
];

/** The user's own views in their order, then the shared ones. */
export const selectViews = (db: Database, viewer: Viewer) =>
  queryRows<View>(
    db,
    `select ${COLUMNS} from saved_view where ${VISIBLE}
      order by user_id is null, position, lower(name)`,
    valuesOf(viewer).slice(0, 3),
  );

export async function countMatchesOfViews(
  db: Database,
  viewer: Viewer,
  time_zone: string,
): Promise<ViewCounts> {
  const { seller_id, mode } = viewer;
  const owner = { seller_id, mode };
  const status = await readIndexStatus(db, owner);
  if (status.state !== "ready") return status;
  const counts: [string, ViewCount][] = [];
  // The views are counted one after the other, to leave database connections for pages.
  for (const { id, query, words } of await selectViews(db, viewer)) {
    const search = parseSubscriptionSearch(new URLSearchParams(query));
    const asked = await indexedSubscriptionQuery(db, owner, { search, words, time_zone });
    counts.push([id, await countMatches(db, owner, asked)]);
  }
  return { ...status, counts: Object.fromEntries(counts) };
}

interface NewView extends ViewSearch {
  /** The id of a removed view that is restored. */
  id?: string | undefined;
  name: string;
  is_shared: boolean;
}

/** Adds a view at the end of its group. @throws AppError `forbidden`, `conflict` */
export async function insertView(
  db: Database,
  viewer: Viewer,
  { id, name, is_shared, query, words }: NewView,
): Promise<string> {
  const { rows } = await named(
    db.query<{ id: string }>(
      `insert into saved_view (id, seller_id, mode, user_id, name, query, words, position)
       select coalesce($6::uuid, gen_random_uuid()), $1::uuid, $2,
              case when $5::boolean then null else $3::uuid end, $7, $8, $9,
              1 + coalesce((select max(position) from saved_view where ${IN_GROUP}), 0)
        where (select count(*) from saved_view where ${IN_GROUP}) < ${MAX_VIEWS}
          and ($4::boolean or not $5::boolean)
       returning id`,
      [...valuesOf(viewer), is_shared, id ?? null, name, query, words],
    ),
  );
  if (is_shared && !viewer.may_share) throw new AppError({ kind: "forbidden" });
  return rows[0]?.id ?? refuseMore(is_shared);
}

type ViewChange = { [Field in "name" | "query" | "words"]?: string | undefined };

/** @throws AppError `forbidden`, `not_found`, `conflict` */
export async function updateView(
  db: Database,
  viewer: Viewer,
  id: string,
  { name, query, words }: ViewChange,
): Promise<View> {
  const { rows } = await named(
    db.query<View>(
      `update saved_view set name = coalesce($6, name), query = coalesce($7, query),
                             words = coalesce($8, words)
        where id = $5 and ${THEIRS} returning ${COLUMNS}`,
      [...valuesOf(viewer), id, name ?? null, query ?? null, words ?? null],
    ),
  );
  return rows[0] ?? refuseChange(db, viewer, id);
}

/** Shares a view, or makes it private. @throws AppError as updateView */
export async function setViewShared(
  db: Database,
  viewer: Viewer,
  id: string,
  is_shared: boolean,
): Promise<View> {
  if (!viewer.may_share) throw new AppError({ kind: "forbidden" });
  const { rows } = await named(
    db.query<View>(
      `update saved_view set user_id = case when $5::boolean then null else $3::uuid end,
              position = 1 + coalesce((select max(position) from saved_view where ${IN_GROUP}), 0)
        where id = $6 and ${THEIRS} and ((user_id is null) = $5::boolean or
              (select count(*) from saved_view where ${IN_GROUP}) < ${MAX_VIEWS})
       returning ${COLUMNS}`,
      [...valuesOf(viewer), is_shared, id],
    ),
  );
  if (rows[0]) return rows[0];
  const views = await selectViews(db, viewer);
  return views.some((view) => view.id === id)
    ? refuseMore(is_shared)
    : refuseChange(db, viewer, id);
}

/** @throws AppError `forbidden`, `not_found` */
export async function deleteView(db: Database, viewer: Viewer, id: string): Promise<View> {
  const { rows } = await db.query<View>(
    `delete from saved_view where id = $5 and ${THEIRS} returning ${COLUMNS}`,
    [...valuesOf(viewer), id],
  );
  return rows[0] ?? refuseChange(db, viewer, id);
}

/** Sets the order of these views. @throws AppError as deleteView */
export async function arrangeViews(db: Database, viewer: Viewer, ids: string[]): Promise<void> {
  const { rowCount } = await db.query(
    `update saved_view v set position = given.place
       from unnest($5::uuid[]) with ordinality as given (id, place)
      where v.id = given.id and ${THEIRS}`,
    [...valuesOf(viewer), ids],
  );
  const [first] = ids;
  if (rowCount === 0 && first) await refuseChange(db, viewer, first);
}

async function refuseChange(db: Database, viewer: Viewer, id: string): Promise<never> {
  const views = await selectViews(db, viewer);
  const isSeen = views.some((view) => view.id === id);
  throw new AppError({ kind: isSeen ? "forbidden" : "not_found" });
}

function refuseMore(is_shared: boolean): never {
  const key = is_shared ? "views.tooManyShared" : "views.tooMany";
  throw new AppError({ kind: "conflict", detail: message(key, { count: MAX_VIEWS }) });
}

async function named<Value>(asked: Promise<Value>): Promise<Value> {
  try {
    return await asked;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError({ kind: "conflict", detail: message("views.taken") });
  }
}
