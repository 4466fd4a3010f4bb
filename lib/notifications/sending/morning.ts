import "server-only";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { can, type Role } from "#lib/auth/permissions.ts";
import { findMessageClient } from "#lib/billing/message-account.ts";
import { openClient } from "#lib/billing/open-client.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import { readWaitingMoney } from "#lib/collection/by-hand/waiting-money.ts";
import { sumCounts } from "#lib/collection/queue-counts.ts";
import { readQueueCounts } from "#lib/collection/queue-store.ts";
import { graceDaysOf } from "#lib/collection/rules.ts";
import { parseQueueSearch, queuePath } from "#lib/collection/search.ts";
import { readGrace } from "#lib/collection/settings-store.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import { AppError, isMissing } from "#lib/failure.ts";
import { messagesPath } from "#lib/messages/sending/search.ts";
import { scopePath, type Scope } from "#lib/scope.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { readFailingEndpoints } from "#lib/webhooks/failing.ts";
import { readNotifications } from "../notification-store.ts";

/** Kinds of lines of the morning list. */
type MorningItem =
  | "grace"
  | "due"
  | "today"
  | "broken"
  | "failed"
  | "unconfirmed"
  | "money"
  | "messages"
  | "endpoints";

export interface MorningLine {
  item: MorningItem;
  /** Null if the service did not answer. */
  count: number | null;
  /** Whether there may be more. */
  isLeast: boolean;
  /** The page of the desk that lists the counted items. */
  path: string;
}

interface MorningReader {
  user_id: string;
  role: Role;
  scope: Scope;
  time_zone: string;
  /** The current time, ISO. */
  now: string;
}

const DAY_MS = 86_400_000;

/**
 * The counts that the desk shows to this member, without those that are 0. Null while the search index
 * cannot answer.
 */
export async function readMorning(
  db: Database,
  owner: KeyOwner,
  { user_id, role, scope, time_zone, now }: MorningReader,
): Promise<MorningLine[] | null> {
  if ((await readIndexStatus(db, owner)).state !== "ready") return null;
  const billing = openClient(owner);
  const clock = await serviceNow({ scope, billing, now });
  const search = parseQueueSearch({});
  const grace = graceDaysOf(await readGrace(db, owner, time_zone));
  const question = { search, words: "", person_id: user_id, time_zone, now: clock, grace };
  const { groups, today, broken } = sumCounts(
    await readQueueCounts(db, owner, question),
    search,
  );
  const { latest } = await readNotifications(db, owner, { user_id, now: clock });
  const since = Date.parse(now) - DAY_MS;
  const lines = [
    line("grace", groups.grace, queuePath(scope, { ...search, group: "grace" })),
    line("due", groups.due, queuePath(scope, { ...search, group: "due" })),
    line("today", today, queuePath(scope, { ...search, show: "today" })),
    line("broken", broken, queuePath(scope, { ...search, show: "broken" })),
    line("failed", groups.failed, queuePath(scope, { ...search, group: "failed" })),
    line(
      "unconfirmed",
      latest.filter(({ kind, at }) => kind === "seen_paid" && Date.parse(at) > since).length,
      scopePath(scope, "/notifications"),
    ),
    can(role, "payments:read") &&
      (await orUnknown(
        "money",
        scopePath(scope, "/collection"),
        readWaitingMoney(db, owner).then(({ waiting, refunds, notes, to_check }) => ({
          count: waiting.length + refunds.length + notes.length + to_check,
          isLeast: false,
        })),
      )),
    await orUnknown(
      "messages",
      messagesPath(scope, { state: "failed" }),
      failedMessages(owner, since),
    ),
    can(role, "webhooks:read") &&
      (await orUnknown(
        "endpoints",
        scopePath(scope, "/settings/webhooks"),
        readFailingEndpoints(db, { billing, owner, now }).then(({ endpoints, counted }) => ({
          count: endpoints.length,
          isLeast: counted !== null,
        })),
      )),
  ];
  return lines.filter((one) => one !== false).filter(({ count }) => count !== 0);
}

const line = (item: MorningItem, count: number, path: string): MorningLine => ({
  item,
  count,
  isLeast: false,
  path,
});

async function orUnknown(
  item: MorningItem,
  path: string,
  counted: Promise<{ count: number; isLeast: boolean }>,
): Promise<MorningLine> {
  try {
    return { item, path, ...(await counted) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { item, path, count: isMissing(error) ? 0 : null, isLeast: false };
  }
}

/** @param since milliseconds since 1970 */
async function failedMessages(owner: KeyOwner, since: number) {
  const client = await findMessageClient(owner);
  if (!client) return { count: 0, isLeast: false };
  const page = { kind: null, subscription_id: null, before: null, page_size: MAX_PAGE_SIZE };
  const { results, next } = await client.listMessages({ ...page, state: "failed" });
  const fresh = results.filter(({ state_at }) => Date.parse(state_at) > since);
  return {
    count: fresh.length,
    isLeast: next !== null && fresh.length === results.length,
  };
}
