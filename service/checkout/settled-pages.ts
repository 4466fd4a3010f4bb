import { localDate } from "../subscriptions/periods.ts";
import { isReturnPage } from "#contract/return-page.ts";
import { html, type Html } from "./html.ts";
import { isPayableAhead, returnAddress, type Checkout } from "./open.ts";
import { notice, type Frame } from "./page.ts";
import { textAt, type Reader } from "./reader.ts";
import { heading, testNote } from "./sections.ts";
import type { Attempt } from "./store.ts";

// Long enough to read what was paid, and there is a button for whoever is quicker.
const ONWARD_SECONDS = 5;
// ADR 0242: whoever opens the receipt later wants to read it.
const ONWARD_WITHIN = 60_000;
const REFERENCE_LETTERS = 8;

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

/** Proof for the buyer; it is kept at this address and can be printed. */
export function receiptPage(checkout: Checkout, attempt: Attempt, reader: Reader): Frame {
  const { seller, subscription, now } = checkout;
  const { words } = reader;
  const address = returnAddress(subscription);
  const isFresh = now.getTime() - (attempt.paid_at?.getTime() ?? 0) < ONWARD_WITHIN;
  const isLedBack = isFresh && !isReturnPage(subscription.return_url);
  return {
    title: words.paidTo(seller.name),
    ...(isLedBack && { onward: { seconds: ONWARD_SECONDS, address } }),
    body: html`${testNote(reader)}${heading(checkout)} ${notice(words.received, "good")}
    ${paidLines(checkout, attempt, reader)} ${paidUntil(checkout, reader)}
    ${
      isReturnPage(subscription.return_url)
        ? html`<p class="hint">
            ${words.keepThis}
            <a href="${address}" rel="noreferrer">${words.backTo(new URL(address).host)}</a>
          </p>`
        : html`${wayBack(address, words.continueTo)}
            <p class="hint">${isLedBack ? words.takenThere : words.keepThis}</p>`
    }`,
  };
}

/** As a bill names it: how much, to whom, when, how, and a reference that can be read out. */
function paidLines({ seller }: Checkout, attempt: Attempt, reader: Reader): Html {
  const { words, money, moment } = reader;
  const { payment_id, paid_at, method, currency, amount } = attempt;
  const line = (name: string, value: string | null | undefined) =>
    value &&
    html`<div>
      <dt>${name}</dt>
      <dd class="name">${value}</dd>
    </div>`;
  return html`<dl class="lines">
    <div class="total">
      <dt>${words.paid}</dt>
      <dd>${money(currency ?? "", amount ?? "0.00")}</dd>
    </div>
    ${line(words.seller, seller.name)}
    ${line(words.paidOn, paid_at && moment(paid_at, seller.time_zone))}
    ${line(words.method, { wallet: words.mobileWallet, bank: words.bankAccount }[method])}
    ${line(words.reference, payment_id?.slice(0, REFERENCE_LETTERS).toUpperCase())}
  </dl>`;
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
