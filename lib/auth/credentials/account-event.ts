import "server-only";
import { queryRows } from "#contract/process/database.ts";
import type { Database } from "#lib/db/pool.ts";

const ACCOUNT_EVENTS = [
  "account.create",
  "session.begin",
  "session.revoke",
  "session.revoke_others",
  "session.end_all",
  "password.change",
  "password.refused",
  "password.reset",
  "email.change",
  "name.change",
  "second_factor.set_up",
  "second_factor.switch_off",
  "second_factor.refused",
  "recovery_code.use",
  "recovery_code.renew",
  "identity.link",
  "identity.unlink",
] as const;
export type AccountEventKind = (typeof ACCOUNT_EVENTS)[number];

interface AccountEvent {
  id: string;
  at: Date;
  kind: AccountEventKind;
  address: string | null;
}

const WRITE = "insert into account_event (at, user_id, kind, address) values ($1, $2, $3, $4)";

/** Adds to the account's activity, which only its owner sees; sellers' audit logs do not contain it. */
export async function writeAccountEvent(
  db: Database,
  event: { user_id: string; kind: AccountEventKind; address: string | null },
  now: Date,
): Promise<void> {
  await db.query({
    name: "write_account_event",
    text: WRITE,
    values: [now, event.user_id, event.kind, event.address],
  });
}

export const listAccountEvents = (db: Database, user_id: string, limit = 12) =>
  queryRows<AccountEvent>(
    db,
    "select id, at, kind, address from account_event where user_id = $1 order by id desc limit $2",
    [user_id, limit],
  );
