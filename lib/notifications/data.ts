import "server-only";
import { concernsRow } from "#contract/process/database.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import { database, type Database } from "#lib/db/pool.ts";
import { isMailConfigured } from "#lib/mail.ts";
import { readNotifications } from "./notification-store.ts";
import type { Notifications } from "./queries.ts";
import { offeredKinds, type NoticeOptions } from "./rules.ts";
import { listPushBrowsers } from "./sending/browsers.ts";
import { pushKey } from "./sending/push.ts";
import { readNoticeChoices } from "./store.ts";

/** Reads notifications. Promises become due by the service's clock (ADR 0179). */
export async function getNotifications(scope: Scope): Promise<Notifications> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const { owner, user } = signedIn;
  const db = database();
  const now = (await hasPromises(db, owner)) ? await serviceNow(signedIn) : signedIn.now;
  return readNotifications(db, owner, { user_id: user.id, now });
}

const hasPromises = (db: Database, { seller_id, mode }: KeyOwner) =>
  concernsRow(
    db,
    `select from collection_state
      where seller_id = $1 and mode = $2 and promised_for is not null limit 1`,
    [seller_id, mode],
  );

/** The notices that the signed-in member has switched on and can switch on. */
export async function getNoticeOptions(scope: Scope): Promise<NoticeOptions> {
  const { owner, user, role } = await requireSeller(scope, "dashboard:open");
  const [choices, browsers] = await Promise.all([
    readNoticeChoices(database(), owner, user.id),
    listPushBrowsers(database(), user.id),
  ]);
  return {
    choices,
    offered: { mail: offeredKinds("mail", role), push: offeredKinds("push", role) },
    email: user.email,
    canMail: isMailConfigured(),
    pushKey: pushKey()?.publicKey ?? null,
    browsers,
  };
}
