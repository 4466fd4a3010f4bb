import { localDate } from "#contract/process/local-day.ts";
import { isReturnPage } from "#contract/return-page.ts";
import { html, type Html } from "../http/html.ts";
import {
  canPayEarly,
  isCorrectable,
  returnAddress,
  type Checkout,
  type ShownCheckout,
} from "./open.ts";
import { againForm } from "./again/page.ts";
import type { PeriodAgain } from "./again/start.ts";
import { noticeBox, type PageFrame } from "./page.ts";
import { textByName, type PageReader } from "./reader.ts";
import { checkoutHeading, correctLink, testNote, buyersPageLink } from "./sections.ts";
import type { Attempt, AttemptPayment, BillLink } from "./store.ts";

// Seconds until the redirect: long enough to read the receipt; a button continues at once.
const ONWARD_SECONDS = 5;
// ADR 0060: milliseconds after a payment within which the receipt redirects; later the buyer wants
// to read it.
const ONWARD_WITHIN = 60_000;
const REFERENCE_LETTERS = 8;

const wayBack = (address: string, nameFor: (host: string) => string) =>
  html`<a class="button" href="${address}" rel="noreferrer"
    >${nameFor(new URL(address).host)}</a
  >`;

/** The way back as a mere link, next to a more important button. */
const linkBack = (address: string, nameFor: (host: string) => string) =>
  html`<p class="hint">
    <a href="${address}" rel="noreferrer">${nameFor(new URL(address).host)}</a>
  </p>`;

function endOf({ seller, subscription }: Checkout, { day }: PageReader): string | null {
  const { next_billing_cycle: date } = subscription;
  return date && day(localDate(date, seller.time_zone));
}

/**
 * The paid-until date. Used only if the payment led to the current billing date, without a later
 * payment or a reschedule.
 */
function paidUntil(checkout: Checkout, reader: PageReader) {
  const end = endOf(checkout, reader);
  return end && html`<p class="period">${reader.texts.paidUntil(end)}</p>`;
}

/** The receipt; it stays at this URL and can be printed. */
export function receiptPage(
  checkout: ShownCheckout,
  {
    attempt,
    newest,
    mode,
    name,
    bills,
  }: {
    attempt: Attempt;
    newest: AttemptPayment | null;
    bills: BillLink[];
    mode: "test" | "live";
    name: string | null;
  },
  reader: PageReader,
): PageFrame {
  const { seller, subscription, now } = checkout;
  const { texts } = reader;
  const address = returnAddress(subscription);
  const isFresh = now.getTime() - (attempt.paid_at?.getTime() ?? 0) < ONWARD_WITHIN;
  const isLedBack = isFresh && !isReturnPage(subscription.return_url);
  return {
    title: texts.paidTo(seller.name),
    ...(isLedBack && { onward: { seconds: ONWARD_SECONDS, address } }),
    body: html`${testNote(mode, reader)}${checkoutHeading(checkout)}
    ${noticeBox(texts.received, "good")} ${paidLines(checkout, { ...attempt, name }, reader)}
    ${bills.map(
      ({ bill_id, kind, label }) =>
        html`<p>
          <a href="/pay/${subscription.subscription_id}/bill/${bill_id}" download
            >${texts.bills.download(texts.bills.kinds[kind], label)}</a
          >
        </p>`,
    )}
    ${newest?.payment_id === attempt.payment_id && paidUntil(checkout, reader)}
    ${
      isReturnPage(subscription.return_url)
        ? html`<p class="hint">
            ${texts.keepThis}
            <a href="${address}" rel="noreferrer">${texts.backTo(new URL(address).host)}</a>
          </p>`
        : html`${wayBack(address, texts.continueTo)}
            <p class="hint">${isLedBack ? texts.takenThere : texts.keepThis}</p>`
    }
    ${buyersPageLink(checkout, reader)}`,
  };
}

/** A payment with its account's name as buyers read it; null without an account at a provider. */
type NamedPayment = AttemptPayment & { name: string | null };

/** The payment's details as on a bill; the reference is easy to read out. */
function paidLines(
  { seller }: Checkout,
  { payment_id, paid_at, method, currency, amount, vat, name }: NamedPayment,
  { texts, money, moment }: PageReader,
): Html {
  const line = (name: string, value: string | null | undefined) =>
    value &&
    html`<div>
      <dt>${name}</dt>
      <dd class="name">${value}</dd>
    </div>`;
  return html`<dl class="lines">
    <div class="total">
      <dt>${texts.paid}</dt>
      <dd>${money(currency ?? "", amount ?? "0.00")}</dd>
    </div>
    ${line(texts.ofWhichTax, vat && money(currency ?? "", vat))}
    ${line(texts.seller, seller.name)}
    ${line(texts.paidOn, paid_at && moment(paid_at, seller.time_zone))}
    ${line(texts.method, name ?? texts.methods[method])}
    ${line(texts.reference, payment_id?.slice(0, REFERENCE_LETTERS).toUpperCase())}
  </dl>`;
}

export function settledPage(
  checkout: ShownCheckout,
  newest: NamedPayment | null,
  again: { periods: PeriodAgain[]; outcome: string },
  reader: PageReader,
): PageFrame {
  const { seller, subscription } = checkout;
  const { status, is_one_time, subscription_id } = subscription;
  const { texts, own } = reader;
  const runs = status === "active";
  // Spec choice, one-time purchases: only a payment makes a one-time purchase active.
  const isPaid = runs && (newest !== null || is_one_time);
  const receipt = (runs || status === "pending_cancellation") && newest;
  const end = endOf(checkout, reader);
  // Spec choice, reschedule: the period continues to the moved date, which nobody paid for.
  const said = runs && !isPaid ? end && texts.runsUntil(end) : textByName(texts.ended, status);
  const canStart = again.periods.length > 0;
  return {
    title: isPaid ? texts.paidTo(seller.name) : seller.name,
    body: html`${checkoutHeading(checkout)}
    ${noticeBox(
      (canStart && textByName(texts.again.ended, status)) || said,
      isPaid ? "good" : "calm",
    )}
    ${canStart && againForm(subscription_id, again, reader)}
    ${receipt && html`${paidLines(checkout, receipt, reader)} ${paidUntil(checkout, reader)}`}
    ${
      (isPaid || !isReturnPage(subscription.return_url)) &&
      (canStart ? linkBack : wayBack)(returnAddress(subscription), texts.backTo)
    }
    ${
      canPayEarly(subscription) &&
      html`<p class="hint">
        ${texts.away}
        <a href="${own(`/pay/${subscription_id}?early=1`)}">${texts.payEarly}</a>
      </p>`
    }
    ${isCorrectable(checkout) && correctLink(checkout, reader)}
    ${buyersPageLink(checkout, reader)}`,
  };
}

/** The page after a payment that was approved but no longer owed: it is refunded. */
export function refundedPage(
  checkout: ShownCheckout,
  attempt: Attempt,
  reader: PageReader,
): PageFrame {
  const { subscription, seller } = checkout;
  const { texts, own, money } = reader;
  const amount = money(attempt.currency ?? "", attempt.amount ?? "0.00");
  const why = textByName(texts.returned, attempt.reason) ?? "";
  return {
    title: texts.notCharged(seller.name),
    body: html`${checkoutHeading(checkout)}
      ${noticeBox(`${why} ${texts.goesBack(amount, texts[attempt.method])}`.trim(), "calm")}
      <p class="hint">
        <a href="${own(`/pay/${subscription.subscription_id}`)}">${texts.seeOwed}</a>
      </p>
      ${
        !isReturnPage(subscription.return_url) &&
        wayBack(returnAddress(subscription), texts.backTo)
      }`,
  };
}
