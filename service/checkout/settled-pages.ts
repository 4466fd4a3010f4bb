import { localDate } from "../subscriptions/periods.ts";
import { html } from "./html.ts";
import { isPayableAhead, returnAddress, type Checkout } from "./open.ts";
import { notice, type Frame } from "./page.ts";
import { textAt, type Reader } from "./reader.ts";
import { heading } from "./sections.ts";
import type { Attempt } from "./store.ts";

// Long enough to read what was paid, and there is a button for whoever is quicker.
const ONWARD_SECONDS = 5;

const wayBack = (address: string, nameFor: (host: string) => string) =>
  html`<a class="button" href="${address}" rel="noreferrer"
    >${nameFor(new URL(address).host)}</a
  >`;

function paidUntil(
  { seller, subscription: { next_billing_cycle: date } }: Checkout,
  { words, day }: Reader,
) {
  const next = date && day(localDate(date, seller.time_zone));
  return next && html`<p class="period">${words.paidUntil(next)}</p>`;
}

/** Proof for the buyer, who is then led back; it is kept at this address and can be printed. */
export function receiptPage(checkout: Checkout, attempt: Attempt, reader: Reader): Frame {
  const { seller, subscription } = checkout;
  const { words, money } = reader;
  const address = returnAddress(subscription);
  return {
    title: words.paidTo(seller.name),
    onward: { seconds: ONWARD_SECONDS, address },
    body: html`${heading(checkout)} ${notice(words.received, "good")}
      <dl class="lines">
        <div class="total">
          <dt>${words.paid}</dt>
          <dd>${money(attempt.currency ?? "", attempt.amount ?? "0.00")}</dd>
        </div>
        <div class="note">
          <dt>${words.reference}</dt>
          <dd class="reference">${attempt.provider_reference}</dd>
        </div>
      </dl>
      ${paidUntil(checkout, reader)} ${wayBack(address, words.continueTo)}
      <p class="hint">${words.takenThere}</p>`,
  };
}

/** For a link that asks for nothing: paid, ending or ended. */
export function settledPage(checkout: Checkout, reader: Reader): Frame {
  const { seller, subscription } = checkout;
  const { status, subscription_id } = subscription;
  const { words, own } = reader;
  const isPaid = status === "active";
  const said = textAt(words.ended, status);
  return {
    title: isPaid ? words.paidTo(seller.name) : seller.name,
    body: html`${heading(checkout)} ${notice(said, isPaid ? "good" : "calm")}
    ${isPaid && paidUntil(checkout, reader)}
    ${wayBack(returnAddress(subscription), words.backTo)}
    ${
      isPayableAhead(subscription) &&
      html`<p class="hint">
        ${words.away}
        <a href="${own(`/pay/${subscription_id}?ahead=1`)}">${words.payEarly}</a>
      </p>`
    }`,
  };
}

/** Approved, but for something that is owed no more: the money goes back. */
export function returnedPage(checkout: Checkout, attempt: Attempt, reader: Reader): Frame {
  const { subscription, seller } = checkout;
  const { words, own, money } = reader;
  const amount = money(attempt.currency ?? "", attempt.amount ?? "0.00");
  const why = textAt(words.returned, attempt.reason) ?? "";
  return {
    title: words.notCharged(seller.name),
    body: html`${heading(checkout)}
      ${notice(`${why} ${words.goesBack(amount, words[attempt.method])}`.trim(), "calm")}
      <p class="hint">
        <a href="${own(`/pay/${subscription.subscription_id}`)}">${words.seeOwed}</a>
      </p>
      ${wayBack(returnAddress(subscription), words.backTo)}`,
  };
}
