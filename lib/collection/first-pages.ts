import "server-only";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import type { Database } from "#lib/db/pool.ts";
import { addDecimals, isDecimal } from "#lib/format/decimal.ts";
import { amountOrZero, amountsOwed } from "#lib/money/debt.ts";
import { dayInZone } from "#lib/format/format.ts";
import { readMadeSubscriptions } from "#lib/imports/store.ts";
import { foldText } from "#lib/text/fold-text.ts";
import type { IndexAbsence } from "#lib/list-answer.ts";
import { amountToPay, type Amounts } from "#lib/money/price.ts";
import { readContactSummary } from "./contacts-store.ts";
import { readRecentlyPaid } from "./payments-store.ts";
import type { QueueEntry, QueuePage, QueueSubscription } from "./queries.ts";
import type { QueueParameters } from "./queue-store.ts";
import type { QueueCount } from "./queue-counts.ts";
import {
  daysWithinPriority,
  priorityOf,
  byPriority,
  collectionStatusOf,
  type CollectionClock,
  type ContactSummary,
} from "./rules.ts";
import { passesFilters } from "./search.ts";
import { billingCycleOf } from "./subscription-cycle.ts";

interface FirstPages {
  db: Database;
  owner: KeyOwner;
  billing: BillingClient;
  question: QueueParameters;
  absence: IndexAbsence;
  amounts: Amounts;
  linkOf: (subscription_id: string) => string | null;
}

/** The queue from the first API page of each status, while the search index cannot answer. */
export async function readFirstPages({
  db,
  owner,
  billing,
  question,
  absence,
  amounts,
  linkOf,
}: FirstPages): Promise<QueuePage> {
  const { search, words, person_id, time_zone, now, grace } = question;
  const [due, active, waiting, made] = await Promise.all([
    readFirst(billing, "due"),
    readFirst(billing, "active"),
    readFirst(billing, "pending_checkout"),
    search.import_run === null ? null : readMadeSubscriptions(db, owner, search.import_run),
  ]);
  const isOfImport = ({ subscription_id }: Subscription) =>
    made === null || made.includes(subscription_id);
  // While the search index is being filled again, it may already know recent payments.
  const paid = await readRecentlyPaid(db, owner);
  const unpaid = active.filter((row) => !paid.has(row.subscription_id));
  const records = [...due, ...unpaid, ...waiting];
  const contactedOf = await readContactSummary(
    db,
    owner,
    records.map((record) => ({ id: record.subscription_id, cycle: billingCycleOf(record) })),
  );
  const clock = { time_zone, now, grace, ahead: search.ahead };
  const today = dayInZone(now, time_zone);
  const placed = records
    .filter((record) => isOfImport(record) && isMeant(record, search.product, words))
    .map((subscription) => {
      const contacted = contactedOf(subscription.subscription_id);
      const around = { contacted, failed_at: null, clock, amounts, linkOf };
      const entry = queueEntryOf(subscription, around);
      const { status } = entry;
      const place = {
        band: priorityOf(status),
        days: daysWithinPriority(status, contacted, today),
        amount: amountOrZero(askedOf(entry)[0].amount),
        id: subscription.subscription_id,
      };
      return { entry, place };
    })
    .filter(({ entry }) => entry.status.group !== null)
    .toSorted(byPriority);
  const all = placed.map(({ entry }) => entry);
  const meant = all.filter(({ status, contacted }) =>
    passesFilters(search, status, contacted.assigned?.id ?? null, person_id),
  );
  return {
    entries: meant,
    next: null,
    source: absence,
    cells: all.flatMap((entry) => cellOf(entry, person_id)),
  };
}

interface Around {
  contacted: ContactSummary;
  failed_at: string | null;
  clock: CollectionClock;
  amounts: Amounts;
  linkOf: (subscription_id: string) => string | null;
}

export function queueEntryOf(
  subscription: Subscription,
  { contacted, failed_at, clock, amounts, linkOf }: Around,
): QueueEntry {
  return {
    subscription: toQueueSubscription(subscription),
    to_pay: amountToPay(amounts, subscription.product),
    checkout_url: linkOf(subscription.subscription_id),
    contacted,
    status: collectionStatusOf(subscription, contacted, failed_at, clock),
    failed_at,
  };
}

function toQueueSubscription(subscription: Subscription): QueueSubscription {
  const { subscription_id, status, client, product } = subscription;
  const { next_billing_cycle, current_period_end, created_at } = subscription;
  const { full_name, phone, email } = client;
  const { product_id: _id, ...priced } = product;
  return {
    subscription_id,
    status,
    next_billing_cycle,
    current_period_end,
    created_at,
    client: { full_name, phone, email },
    product: priced,
  };
}

async function readFirst(billing: BillingClient, status: string): Promise<Subscription[]> {
  const search = { status, page: 1, page_size: MAX_PAGE_SIZE };
  return (await billing.listSubscriptions(search)).results;
}

/**
 * Whether a subscription matches the product filter and the search text, by letters only: matching
 * by sound needs the search index.
 */
function isMeant(
  { client, product }: Subscription,
  wanted: string | null,
  words: string,
): boolean {
  const held = foldText([client.full_name, client.phone, client.email].join(" "));
  const isOf =
    wanted === null ||
    product.product_id === wanted ||
    foldText(product.name).includes(foldText(wanted));
  return (
    isOf &&
    foldText(words)
      .split(/\s+/)
      .every((word) => held.includes(word))
  );
}

const askedOf = ({ subscription, to_pay, contacted }: QueueEntry) =>
  amountsOwed(subscription, to_pay, contacted.debt);

function cellOf(entry: QueueEntry, person_id: string): QueueCount[] {
  const { status, contacted } = entry;
  const { group, turn, is_failed, is_broken, is_for_today } = status;
  if (group === null) return [];
  const assigned = contacted.assigned?.id ?? null;
  return askedOf(entry).map(({ amount, currency, is_list_price }, at) => ({
    group,
    turn,
    is_failed,
    is_broken,
    is_for_today,
    whose: assigned === null ? "nobody" : assigned === person_id ? "mine" : "others",
    currency,
    // A debt in a second currency does not count as a second buyer.
    count: at === 0 ? 1 : 0,
    amount: addDecimals("0", amountOrZero(amount)),
    is_list_price: is_list_price && isDecimal(amount),
  }));
}
