import { localDate } from "../subscriptions/periods.ts";
import { html, type Html } from "../http/html.ts";
import { mask, maskPhone } from "./mask.ts";
import type { Checkout } from "./open.ts";
import type { Reader } from "./reader.ts";

export function heading({ seller, subscription }: Checkout): Html {
  return html`<header>
    <p class="seller">${seller.name}</p>
    <h1>${subscription.product_name}</h1>
    <p class="plan">${subscription.plan_name} · ${subscription.label}</p>
  </header>`;
}

/** Shown on every page, since only the sandbox takes payments so far. */
export const testNote = ({ words }: Reader): Html =>
  html`<p class="test">${words.testMode}</p>`;

/** The period the payment covers, and since when it is overdue. */
export const periodNote = (checkout: Checkout, reader: Reader): Html =>
  html`<p class="period">${periodText(checkout, reader)}</p>`;

function periodText(
  { seller, subscription, period }: Checkout,
  { words, day }: Reader,
): string {
  if (period === null) return words.once;
  const { next_billing_cycle: billingCycle, status } = subscription;
  const [from, to] = [day(period.from), day(period.to)];
  if (status === "due" && billingCycle)
    return words.due(from, to, day(localDate(billingCycle, seller.time_zone)));
  return status === "active" ? words.nextPeriod(from, to) : words.period(from, to);
}

const line = (name: string, amount: string, kind = "") =>
  html`<div class="${kind}">
    <dt>${name}</dt>
    <dd>${amount}</dd>
  </div>`;

export function priceLines(
  { amount, vatRate, subscription }: Checkout,
  { words, money, digits }: Reader,
): Html {
  const { price, discount, vat, vat_is_included, total } = amount;
  const rate = digits(vatRate);
  const write = (text: string) => money(subscription.currency, text);
  return html`<dl class="lines">
    ${line(words.price, write(price))} ${discount && line(words.offer, `− ${write(discount)}`)}
    ${vat && !vat_is_included && line(words.vat(rate), write(vat))}
    ${line(words.toPay, write(total), "total")}
    ${vat && vat_is_included && line(words.ofWhichVat(rate), write(vat), "note")}
  </dl>`;
}

export function buyerCard(
  { seller, subscription: { full_name, phone, email } }: Checkout,
  { words }: Reader,
): Html {
  return html`<section class="buyer" aria-labelledby="buyer">
    <h2 id="buyer">${words.details}</h2>
    <p>${mask(full_name)}<br />${maskPhone(phone)}<br />${mask(email)}</p>
    <p class="hint">${words.hidden(seller.name)}</p>
  </section>`;
}
