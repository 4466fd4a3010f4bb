import type { DeskPreview, PreviewQuery } from "#contract/sandbox-preview.ts";
import { SUBSCRIPTION_STATUSES } from "#contract/subscription-statuses.ts";
import type { SubscriptionStatus } from "#contract/subscriptions.ts";
import type { Database } from "../db/database.ts";
import { nextStep, stepsUntil } from "../subscriptions/elapsed.ts";
import type { Seller } from "../sellers/store.ts";
import { localDate } from "../subscriptions/periods.ts";
import { amountDue, chargeOn } from "../subscriptions/pricing.ts";
import { selectLeftUntil } from "./clock/moments-store.ts";
import { countStatuses, selectPreviewRows, type PreviewRow } from "./preview-store.ts";

interface Span {
  now: Date;
  until: Date;
  /** Milliseconds without activity after which a checkout counts as abandoned. */
  after: number;
}

/** A subscription as it will stand: since when, and until when if nobody pays then either. */
interface Foreseen {
  row: PreviewRow;
  to: SubscriptionStatus;
  since: Date | null;
  ends_at: Date | null;
  /** What the checkout asks for then; of what has ended, on the day of its end. */
  amount: string;
}

/** ADR 0078: how the account will stand then, if nobody pays meanwhile; changes nothing. */
export async function previewDesk(
  database: Database,
  seller: Seller,
  { now, until, after }: Span,
  { list, page, page_size }: PreviewQuery,
): Promise<DeskPreview> {
  const { seller_id } = seller;
  const counts = await countStatuses(database, seller_id);
  const rows = await selectPreviewRows(database, seller_id, until);
  const left = await selectLeftUntil(database, seller_id, { until, after });
  const foreseen = rows.map((row) => foresee(row, seller, until));
  const due = foreseen.filter(({ to }) => to === "due").toSorted(byMoment("ends_at"));
  const ended = foreseen.filter(hasEnded).toSorted(byMoment("since"));
  const listed = list === "due" ? due : ended;
  return {
    from: now.toISOString(),
    to: until.toISOString(),
    statuses: SUBSCRIPTION_STATUSES.map((status) => ({
      status,
      now: counts.get(status) ?? 0,
      later: (counts.get(status) ?? 0) + change(foreseen, status),
    })),
    newly_due: due.filter(({ since }) => since !== null).length,
    unpaid: ended.filter(({ to }) => to === "inactive").length,
    cancelled: ended.filter(({ to }) => to === "cancelled").length,
    abandoned: left.length,
    money: addUp(foreseen, { seller, now }),
    list,
    count: listed.length,
    results: listed.slice((page - 1) * page_size, page * page_size).map(present),
  };
}

function foresee(row: PreviewRow, seller: Seller, until: Date): Foreseen {
  const last = stepsUntil(row, seller, until).at(-1);
  const to = last?.to ?? row.status;
  const next = to === "due" ? nextStep({ ...row, status: to }, seller) : null;
  const since = last?.at ?? null;
  const amount = askedOf(row, seller, since !== null && hasEnded({ to }) ? since : until);
  return { row, to, since, ends_at: next?.at ?? null, amount };
}

const askedOf = (row: PreviewRow, { time_zone }: Seller, moment: Date): string =>
  amountDue(chargeOn(row, localDate(moment, time_zone).toString())).total;

const hasEnded = ({ to }: Pick<Foreseen, "to">) => to === "inactive" || to === "cancelled";

const byMoment = (name: "since" | "ends_at") => (a: Foreseen, b: Foreseen) =>
  (a[name]?.getTime() ?? 0) - (b[name]?.getTime() ?? 0);

/** How many more stand so then than now. */
const change = (foreseen: Foreseen[], status: SubscriptionStatus) =>
  foreseen.filter(({ to }) => to === status).length -
  foreseen.filter(({ row }) => row.status === status).length;

/** By what the checkout asks for, each currency by itself and in whole hundredths. */
function addUp(
  foreseen: Foreseen[],
  { seller, now }: { seller: Seller; now: Date },
): DeskPreview["money"] {
  const sum = (amounts: string[]) => {
    const hundredths = amounts.reduce((all, one) => all + BigInt(one.replace(".", "")), 0n);
    const text = String(hundredths).padStart(3, "0");
    return `${text.slice(0, -2)}.${text.slice(-2)}`;
  };
  const currencies = [...new Set(foreseen.map(({ row }) => row.currency))].toSorted();
  return currencies.map((currency) => {
    const own = foreseen.filter(({ row }) => row.currency === currency);
    return {
      currency,
      owed_now: sum(
        own.flatMap(({ row }) => (row.status === "due" ? [askedOf(row, seller, now)] : [])),
      ),
      owed_then: sum(own.flatMap(({ to, amount }) => (to === "due" ? [amount] : []))),
      lost: sum(own.flatMap(({ to, amount }) => (to === "inactive" ? [amount] : []))),
    };
  });
}

const present = ({
  row,
  to,
  since,
  ends_at,
  amount,
}: Foreseen): DeskPreview["results"][number] => ({
  subscription_id: row.subscription_id,
  full_name: row.full_name,
  product_name: row.product_name,
  plan_name: row.plan_name,
  label: row.label,
  price: row.price,
  amount,
  currency: row.currency,
  old_status: row.status,
  new_status: to,
  since: since?.toISOString() ?? null,
  ends_at: ends_at?.toISOString() ?? null,
});
