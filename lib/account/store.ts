import "server-only";
import { listAccountEvents } from "#lib/auth/credentials/account-event.ts";
import { hasPassword } from "#lib/auth/guards/confirm-person.ts";
import { listIdentities } from "#lib/auth/sign-in/identity.ts";
import { oidcName } from "#lib/auth/sign-in/oidc.ts";
import { countRecoveryCodes, isSecondFactorOn } from "#lib/auth/credentials/second-factor.ts";
import { listSessions } from "#lib/auth/sessions/session-list.ts";
import type { Session } from "#lib/auth/sessions/session.ts";
import { database } from "#lib/db/pool.ts";
import type { Account } from "./rules.ts";

export async function readAccount(session: Session): Promise<Account> {
  const [db, { user }] = [database(), session];
  return {
    name: user.name,
    email: user.email,
    has_password: await hasPassword(db, user.id),
    recovery_codes: (await isSecondFactorOn(db, user.id))
      ? await countRecoveryCodes(db, user.id)
      : null,
    sessions: await listSessions(db, session, new Date()),
    events: await listAccountEvents(db, user.id),
    provider: oidcName(),
    identities: await listIdentities(db, user.id),
  };
}
