import "server-only";
import type { Database } from "#lib/db/pool.ts";
import { newSecret, secretId } from "./visit.ts";

export const DEVICE_SECONDS = 180 * 24 * 3_600;

const since = (now: Date) => new Date(now.getTime() - DEVICE_SECONDS * 1000);

/** True when that person signed in with this browser before. */
export async function isKnownDevice(
  db: Database,
  { user_id, device }: { user_id: string | null; device: string | null },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "select 1 from known_device where id = $1 and user_id = $2 and used_at > $3",
    [secretId(device ?? ""), user_id, since(now)],
  );
  return rowCount === 1;
}

/** @returns what the browser is to keep: what it had when that is of ours, else something new */
export async function rememberDevice(
  db: Database,
  { user_id, device }: { user_id: string; device: string | null },
  now: Date,
): Promise<string> {
  const { rowCount } = await db.query("select 1 from known_device where id = $1", [
    secretId(device ?? ""),
  ]);
  const secret = device !== null && rowCount ? device : newSecret();
  await db.query("delete from known_device where user_id = $1 and used_at <= $2", [
    user_id,
    since(now),
  ]);
  await db.query(
    `insert into known_device (id, user_id, used_at) values ($1, $2, $3)
     on conflict (id, user_id) do update set used_at = excluded.used_at`,
    [secretId(secret), user_id, now],
  );
  return secret;
}

/** After a reset nobody can tell which of them were a stranger's. */
export async function forgetDevices(db: Database, user_id: string): Promise<void> {
  await db.query("delete from known_device where user_id = $1", [user_id]);
}
