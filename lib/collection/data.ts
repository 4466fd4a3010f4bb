import "server-only";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { checkoutLinks } from "#lib/billing/checkout-base.ts";
import { database } from "#lib/db/pool.ts";
import { dayInZone } from "#lib/format/format.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { readAmounts } from "#lib/search-index/query/owed.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import {
  readContactSummary,
  readContacts,
  readUsualChannel,
  actorOf,
} from "./contacts-store.ts";
import { hasRecentlyPaid, readFailedAt } from "./payments-store.ts";
import type { CollectionBuyer, QueuePage, CollectionSettings } from "./queries.ts";
import { readQueueCounts, readQueue, type QueueParameters } from "./queue-store.ts";
import { readGrace, readTeam } from "./settings-store.ts";
import { billingCycleOf, readIndexedSubscription } from "./subscription-cycle.ts";
import { graceDaysOf } from "./rules.ts";
import { printCursor, parseCursor, type DaysAheadChoice, type QueueSearch } from "./search.ts";
import { queueEntryOf, readFirstPages } from "./first-pages.ts";

const PAGE = 25;

/**
 * One page of the queue, most urgent first.
 * @param after the cursor of the previous page's end
 */
export async function getQueue(
  scope: Scope,
  search: QueueSearch,
  words: string,
  after: string | null,
): Promise<QueuePage> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const { owner, seller, user } = signedIn;
  const db = database();
  const [kept, now] = await Promise.all([
    readGrace(db, owner, seller.time_zone),
    serviceNow(signedIn),
  ]);
  const grace = graceDaysOf(kept);
  const question: QueueParameters = {
    search,
    words,
    person_id: user.id,
    time_zone: seller.time_zone,
    now,
    grace,
  };
  const linkOf = await checkoutLinks(signedIn);
  const [copy, amounts] = await Promise.all([
    readIndexStatus(db, owner),
    amountsAt(signedIn, now),
  ]);
  if (copy.state !== "ready")
    return readFirstPages({
      db,
      owner,
      billing: signedIn.billing,
      question,
      absence: copy,
      amounts,
      linkOf,
    });
  const [rows, cells] = await Promise.all([
    readQueue(db, owner, question, { after: parseCursor(after ?? ""), limit: PAGE + 1 }),
    readQueueCounts(db, owner, question),
  ]);
  const last = rows.length > PAGE ? rows[PAGE - 1] : undefined;
  const clock = { time_zone: seller.time_zone, now, grace, ahead: search.ahead };
  return {
    entries: rows
      .slice(0, PAGE)
      .map(({ record, contacted, failed_at }) =>
        queueEntryOf(record, { contacted, failed_at, clock, amounts, linkOf }),
      ),
    next: last ? printCursor(last.place) : null,
    source: copy,
    cells,
  };
}

export async function getCollectionSettings(scope: Scope): Promise<CollectionSettings> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const { owner, seller } = signedIn;
  const db = database();
  const [grace, usual_channel, team, now] = await Promise.all([
    readGrace(db, owner, seller.time_zone),
    readUsualChannel(db, actorOf(signedIn)),
    readTeam(db, owner),
    serviceNow(signedIn),
  ]);
  const clock_ahead = Date.parse(now) - Date.parse(signedIn.now);
  return { grace, usual_channel, team, clock_ahead };
}

/**
 * One buyer from the index, else from the API.
 * @param ahead how many days ahead subscriptions count as soon due
 * @throws AppError
 */
export async function getBuyer(
  scope: Scope,
  subscription_id: string,
  ahead: DaysAheadChoice,
): Promise<CollectionBuyer> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const { owner, seller, billing } = signedIn;
  const db = database();
  const record =
    (await readIndexedSubscription(db, owner, subscription_id)) ??
    (await billing.getSubscription(subscription_id));
  const [contacted, failed_at, contacts, grace, hasPaid, now, linkOf] = await Promise.all([
    readContactSummary(db, owner, [{ id: subscription_id, cycle: billingCycleOf(record) }]),
    readFailedAt(db, owner, subscription_id),
    readContacts(db, owner, subscription_id),
    readGrace(db, owner, seller.time_zone),
    hasRecentlyPaid(db, owner, subscription_id),
    serviceNow(signedIn),
    checkoutLinks(signedIn),
  ]);
  const clock = { time_zone: seller.time_zone, now, grace: graceDaysOf(grace), ahead };
  const entry = queueEntryOf(record, {
    contacted: contacted(subscription_id),
    failed_at,
    clock,
    amounts: await amountsAt(signedIn, now),
    linkOf,
  });
  // The queue leaves out buyers who have just paid.
  if (hasPaid && entry.status.group === "soon") entry.status.group = null;
  return { entry, contacts };
}

/** @param now ISO time by the service's clock */
const amountsAt = (signedIn: SignedIn, now: string) =>
  readAmounts(database(), signedIn, dayInZone(now, signedIn.seller.time_zone));
