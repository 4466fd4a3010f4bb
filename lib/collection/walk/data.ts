import "server-only";
import type { Subscription } from "#contract/subscriptions.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { BillingClient } from "#lib/billing/client.ts";
import { lookedOf, walkPages } from "#lib/billing/walk-pages.ts";
import type { Database } from "#lib/db/pool.ts";
import { addDecimals, isDecimal } from "#lib/format/decimal.ts";
import { amountOf, owedOf } from "#lib/money/debt.ts";
import { calendarDay } from "#lib/format/format.ts";
import { foldText } from "#lib/text/fold-text.ts";
import type { IndexStatus } from "#lib/search-index/query/index-status.ts";
import { toPayOf, type Amounts } from "#lib/money/price.ts";
import { readContacted } from "../contacts-store.ts";
import { readRecentlyPaid } from "../recent-payments-store.ts";
import type { DeskEntry, DeskPage } from "../queries.ts";
import type { DeskQuestion } from "../queue-store.ts";
import type { DeskCell } from "../queue-counts.ts";
import { bandDaysOf, bandOf, byPlace, standingOf } from "../rules.ts";
import { isShown } from "../search.ts";

/** Pages, of 100, that are looked through of each list. */
const MOST_PAGES = { due: 3, active: 5, pending_checkout: 2 } as const;
/** What is shown of it at once: there is no place to go on from. */
const SHOWN = 200;

interface Walk {
  db: Database;
  owner: KeyOwner;
  billing: BillingClient;
  question: DeskQuestion;
  copy: Exclude<IndexStatus, { state: "ready" }>;
  amounts: Amounts;
  linkOf: (subscription_id: string) => string | null;
}

/** The queue out of the service's own lists, as far as they are looked through: there is no copy. */
export async function walkDesk({
  db,
  owner,
  billing,
  question,
  copy,
  amounts,
  linkOf,
}: Walk): Promise<DeskPage> {
  const { search, words, person_id, time_zone, now, grace } = question;
  const [due, active, waiting] = await Promise.all([
    look(billing, "due"),
    look(billing, "active"),
    look(billing, "pending_checkout"),
  ]);
  // A copy that is being filled anew may still know it.
  const paid = await readRecentlyPaid(db, owner);
  const unpaid = active.rows.filter((row) => !paid.has(row.subscription_id));
  const records = [...due.rows, ...unpaid, ...waiting.rows];
  const contactedOf = await readContacted(
    db,
    owner,
    records.map(({ subscription_id: id, next_billing_cycle }) => {
      const moment = Date.parse(next_billing_cycle ?? "");
      return { id, cycle: Number.isNaN(moment) ? null : new Date(moment).toISOString() };
    }),
  );
  const clock = { time_zone, now, grace, ahead: search.ahead };
  const today = calendarDay(now, time_zone) ?? now.slice(0, 10);
  const placed = records
    .filter((record) => isMeant(record, search.product, words))
    .map((subscription) => {
      const contacted = contactedOf(subscription.subscription_id);
      const standing = standingOf(subscription, contacted, null, clock);
      const entry: DeskEntry = {
        subscription,
        to_pay: toPayOf(amounts, subscription.product),
        checkout_url: linkOf(subscription.subscription_id),
        contacted,
        standing,
        failed_at: null,
      };
      const place = {
        band: bandOf(standing),
        days: bandDaysOf(standing, contacted, today),
        amount: amountOf(askedOf(entry)[0].amount),
        id: subscription.subscription_id,
      };
      return { entry, place };
    })
    .filter(({ entry }) => entry.standing.group !== null)
    .toSorted(byPlace);
  const all = placed.map(({ entry }) => entry);
  const meant = all.filter(({ standing, contacted }) =>
    isShown(search, standing, contacted.assigned?.id ?? null, person_id),
  );
  return {
    entries: meant.slice(0, SHOWN),
    next: null,
    source: {
      state: "walk",
      copy,
      due: due.looked,
      active: active.looked,
      waiting: waiting.looked,
      more: Math.max(0, meant.length - SHOWN),
    },
    cells: all.flatMap((entry) => cellOf(entry, person_id)),
  };
}

async function look(billing: BillingClient, status: keyof typeof MOST_PAGES) {
  const walk = await walkPages((page) => billing.listSubscriptions({ ...page, status }), {
    most: MOST_PAGES[status],
  });
  const rows = [...new Map(walk.rows.map((row) => [row.subscription_id, row])).values()];
  return { rows, looked: lookedOf(walk) };
}

/** By letters alone: the copy is what knows how names sound. */
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

const askedOf = ({ subscription, to_pay, contacted }: DeskEntry) =>
  owedOf(subscription, to_pay, contacted.debt);

function cellOf(entry: DeskEntry, person_id: string): DeskCell[] {
  const { standing, contacted } = entry;
  const { group, turn, is_failed, is_broken } = standing;
  if (group === null) return [];
  const assigned = contacted.assigned?.id ?? null;
  return askedOf(entry).map(({ amount, currency, is_list_price }, at) => ({
    group,
    turn,
    is_failed,
    is_broken,
    whose: assigned === null ? "nobody" : assigned === person_id ? "mine" : "others",
    currency,
    // What is owed in a second currency is no second buyer.
    count: at === 0 ? 1 : 0,
    amount: addDecimals("0", amountOf(amount)),
    is_list_price: is_list_price && isDecimal(amount),
  }));
}
