import { localDate } from "../subscriptions/periods.ts";
import type { SubscriptionRow } from "../subscriptions/store.ts";
import { html } from "./html.ts";
import { isPayableAhead, returnAddress, type Checkout } from "./open.ts";
import { longDate, money, notice, type Frame } from "./page.ts";
import { heading } from "./sections.ts";
import type { Attempt } from "./store.ts";

// Long enough to read what was paid, and there is a button for whoever is quicker.
const ONWARD_SECONDS = 5;

const ENDED: Partial<Record<SubscriptionRow["status"], string>> = {
  active: "This is paid. There is nothing more to do here.",
  pending_cancellation: "This subscription ends with its current period. Nothing is owed.",
  cancelled: "This subscription was cancelled. Ask the seller for a new link.",
  inactive: "This subscription has ended. Ask the seller for a new link.",
};

const wayBack = (subscription: SubscriptionRow, name = "Back to") => {
  const address = returnAddress(subscription);
  return html`<a class="button" href="${address}" rel="noreferrer"
    >${name} ${new URL(address).host}</a
  >`;
};

const nextDate = ({ seller, subscription: { next_billing_cycle: date } }: Checkout) =>
  date && longDate(localDate(date, seller.time_zone));

/** Proof for the buyer, who is then led back; it is kept at this address and can be printed. */
export function receiptPage(checkout: Checkout, attempt: Attempt): Frame {
  const { seller, subscription } = checkout;
  const address = returnAddress(subscription);
  const next = nextDate(checkout);
  return {
    title: `Paid to ${seller.name}`,
    onward: { seconds: ONWARD_SECONDS, address },
    body: html`${heading(checkout)} ${notice("Payment received. Thank you.", "good")}
      <dl class="lines">
        <div class="total">
          <dt>Paid</dt>
          <dd>${money(attempt.currency ?? "", attempt.amount ?? "0.00")}</dd>
        </div>
        <div class="note">
          <dt>Reference</dt>
          <dd class="reference">${attempt.provider_reference}</dd>
        </div>
      </dl>
      ${next && html`<p class="period">Paid until ${next}.</p>`}
      ${wayBack(subscription, "Continue to")}
      <p class="hint">You are taken there in a few seconds.</p>`,
  };
}

/** For a link that asks for nothing: paid, ending or ended. */
export function settledPage(checkout: Checkout): Frame {
  const { seller, subscription } = checkout;
  const { status, subscription_id } = subscription;
  const isPaid = status === "active";
  const next = nextDate(checkout);
  return {
    title: isPaid ? `Paid to ${seller.name}` : seller.name,
    body: html`${heading(checkout)} ${notice(ENDED[status] ?? null, isPaid ? "good" : "calm")}
    ${isPaid && next && html`<p class="period">Paid until ${next}.</p>`}
    ${wayBack(subscription)}
    ${
      isPayableAhead(subscription) &&
      html`<p class="hint">
        Away on that day?
        <a href="/pay/${subscription_id}?ahead=1">Pay the next period early</a>
      </p>`
    }`,
  };
}

const RETURNED: Record<string, string> = {
  settled: "Another payment came first, so this one was not needed.",
  duplicate: "This buyer already has this subscription.",
  changed: "The order was changed before the payment arrived.",
};

/** Approved, but for something that is owed no more: the money goes back. */
export function returnedPage(checkout: Checkout, attempt: Attempt): Frame {
  const { subscription, seller } = checkout;
  const amount = money(attempt.currency ?? "", attempt.amount ?? "0.00");
  return {
    title: `Not charged by ${seller.name}`,
    body: html`${heading(checkout)}
      ${notice(`${RETURNED[attempt.reason ?? ""] ?? ""} ${amount} goes back to your ${attempt.method}.`, "calm")}
      <p class="hint">
        <a href="/pay/${subscription.subscription_id}">See what is owed now</a>
      </p>
      ${wayBack(subscription)}`,
  };
}
