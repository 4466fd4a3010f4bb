import "server-only";
import { concernsRow } from "#contract/process/database.ts";
import type { Database } from "#lib/db/pool.ts";
import { logLine } from "#lib/log.ts";
import { MOST_BROWSERS, type PushBrowser } from "../rules.ts";
import { pushKey, pushTo, type PushTarget } from "./push.ts";

/** The person's browsers, the newest first. */
export async function listPushBrowsers(db: Database, user_id: string): Promise<PushBrowser[]> {
  const { rows } = await db.query<Omit<PushBrowser, "created_at"> & { created_at: Date }>(
    `select id, endpoint, user_agent, created_at, key_id is distinct from $2 as is_stale
       from push_browser where user_id = $1 order by created_at desc, id`,
    [user_id, pushKey()?.id ?? null],
  );
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

/**
 * Adds a browser, or takes it over from another person who used it.
 * @returns why it was not added
 */
export async function addPushBrowser(
  db: Database,
  user_id: string,
  { endpoint, p256dh, auth, user_agent }: PushTarget & { user_agent: string | null },
): Promise<"no_key" | "too_many" | "taken" | null> {
  const key = pushKey();
  if (!key) return "no_key";
  const { rowCount } = await db.query(
    `insert into push_browser (user_id, endpoint, p256dh, auth, key_id, user_agent)
     select $1, $2, $3, $4, $5, $6
      where (select count(*) from push_browser where user_id = $1 and endpoint <> $2) < ${MOST_BROWSERS}
     -- Only the browser itself knows its keys, so a request with them may take the row over. New keys
     -- for an old endpoint are believed only to the person whose browser it is.
     on conflict (endpoint) do update
       set user_id = excluded.user_id, p256dh = excluded.p256dh, auth = excluded.auth,
           key_id = excluded.key_id, user_agent = excluded.user_agent, created_at = now()
       where push_browser.user_id = excluded.user_id
          or (push_browser.p256dh = excluded.p256dh and push_browser.auth = excluded.auth)`,
    [user_id, endpoint, p256dh, auth, key.id, user_agent?.slice(0, 300) ?? null],
  );
  if (rowCount === 1) return null;
  const isTaken = await concernsRow(
    db,
    `select from push_browser
      where endpoint = $1 and user_id <> $2 and (p256dh, auth) <> ($3, $4)`,
    [endpoint, user_id, p256dh, auth],
  );
  return isTaken ? "taken" : "too_many";
}

/** @returns false if the person has no such browser */
export const removePushBrowser = (db: Database, user_id: string, id: string) =>
  concernsRow(db, "delete from push_browser where user_id = $1 and id = $2", [user_id, id]);

/** The numbers of browsers that accepted, did not answer, or refused a push. */
interface Reached {
  accepted: number;
  unknown: number;
  refused: number;
}

/**
 * Sends a push to all browsers of a person, and forgets those whose subscription has ended.
 * @param ttl seconds
 */
export async function pushToPerson(
  db: Database,
  user_id: string,
  payload: object,
  ttl: number,
): Promise<Reached> {
  const key = pushKey();
  const reached = { accepted: 0, unknown: 0, refused: 0 };
  if (!key) return reached;
  const { rows } = await db.query<PushTarget & { id: string }>(
    "select id, endpoint, p256dh, auth from push_browser where user_id = $1 and key_id = $2",
    [user_id, key.id],
  );
  const outcomes = await Promise.all(
    rows.map(async ({ id, ...target }) => {
      const outcome = await pushTo(target, payload, { key, ttl }).catch(() => "gone" as const);
      if (outcome === "gone") await removePushBrowser(db, user_id, id);
      return outcome;
    }),
  );
  for (const outcome of outcomes) if (outcome !== "gone") reached[outcome] += 1;
  if (reached.refused > 0)
    logLine(`push: ${reached.refused} push services did not take a message`);
  return reached;
}
