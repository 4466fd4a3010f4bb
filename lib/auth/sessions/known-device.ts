import "server-only";
import { concernsRow } from "#contract/process/database.ts";
import type { Database } from "#lib/db/pool.ts";
import { newSecret, hashSessionSecret } from "#lib/auth/sessions/visit.ts";

export const DEVICE_SECONDS = 180 * 24 * 3_600;

/** A device is known if it was last used after this moment. */
export const knownDeviceCutoff = (now: Date) => new Date(now.getTime() - DEVICE_SECONDS * 1000);

/**
 * An SQL condition on a row of `known_device`: the only place that defines which browser is known for a person.
 * @param names SQL names of the two ids and of the moment from knownDeviceCutoff
 */
export const isDeviceOf = ({ id, user, since }: Record<"id" | "user" | "since", string>) =>
  `id = ${id} and user_id = ${user} and used_at > ${since}`;

export const isKnownDevice = (
  db: Database,
  { user_id, device }: { user_id: string | null; device: string | null },
  now: Date,
) =>
  concernsRow(
    db,
    `select 1 from known_device where ${isDeviceOf({ id: "$1", user: "$2", since: "$3" })}`,
    [hashSessionSecret(device ?? ""), user_id, knownDeviceCutoff(now)],
  );

// SQL that remembers a browser and deletes old rows. A secret that the browser already has is
// reused if Duebook issued it, to any person.
const REMEMBER = `with old as (
         delete from known_device where user_id = $1 and used_at <= $4 and id <> $2)
       insert into known_device (id, user_id, used_at)
       select case when exists (select from known_device where id = $2) then $2 else $3 end, $1, $5
       on conflict (id, user_id) do update set used_at = excluded.used_at
       returning id = $2 as is_kept`;

/** @returns the secret for the browser's cookie: its present one if we issued it, else a new one */
export async function rememberDevice(
  db: Database,
  { user_id, device }: { user_id: string; device: string | null },
  now: Date,
): Promise<string> {
  const made = newSecret();
  const { rows } = await db.query<{ is_kept: boolean }>({
    name: "remember_device",
    text: REMEMBER,
    values: [
      user_id,
      hashSessionSecret(device ?? ""),
      hashSessionSecret(made),
      knownDeviceCutoff(now),
      now,
    ],
  });
  return device !== null && rows[0]?.is_kept ? device : made;
}

/**
 * Forgets all devices of a person. Called after a password change, because some may be an
 * attacker's.
 */
export async function forgetDevices(db: Database, user_id: string): Promise<void> {
  await db.query("delete from known_device where user_id = $1", [user_id]);
}
