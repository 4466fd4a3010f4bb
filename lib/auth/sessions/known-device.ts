import "server-only";
import type { Database } from "#lib/db/pool.ts";
import { newSecret, secretId } from "#lib/auth/sessions/visit.ts";

export const DEVICE_SECONDS = 180 * 24 * 3_600;

/** From when on a device must have been used to be known. */
export const deviceSince = (now: Date) => new Date(now.getTime() - DEVICE_SECONDS * 1000);

/**
 * What a query asks of a row of `known_device`: the one place that says which browser somebody is known by.
 * @param names in that query: of the two ids, and of what deviceSince says
 */
export const isDeviceOf = ({ id, user, since }: Record<"id" | "user" | "since", string>) =>
  `id = ${id} and user_id = ${user} and used_at > ${since}`;

/** True when that person signed in with this browser before. */
export async function isKnownDevice(
  db: Database,
  { user_id, device }: { user_id: string | null; device: string | null },
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `select 1 from known_device where ${isDeviceOf({ id: "$1", user: "$2", since: "$3" })}`,
    [secretId(device ?? ""), user_id, deviceSince(now)],
  );
  return rowCount === 1;
}

// Those of old go by the way. What the browser has is taken where it is of ours, whoever used it.
const REMEMBER = `with old as (
         delete from known_device where user_id = $1 and used_at <= $4 and id <> $2)
       insert into known_device (id, user_id, used_at)
       select case when exists (select from known_device where id = $2) then $2 else $3 end, $1, $5
       on conflict (id, user_id) do update set used_at = excluded.used_at
       returning id = $2 as is_kept`;

/** @returns what the browser is to keep: what it had when that is of ours, else something new */
export async function rememberDevice(
  db: Database,
  { user_id, device }: { user_id: string; device: string | null },
  now: Date,
): Promise<string> {
  const made = newSecret();
  const { rows } = await db.query<{ is_kept: boolean }>({
    name: "remember_device",
    text: REMEMBER,
    values: [user_id, secretId(device ?? ""), secretId(made), deviceSince(now), now],
  });
  return device !== null && rows[0]?.is_kept ? device : made;
}

/** After a new password nobody can tell which of them were a stranger's. */
export async function forgetDevices(db: Database, user_id: string): Promise<void> {
  await db.query("delete from known_device where user_id = $1", [user_id]);
}
