import { localDate } from "../subscriptions/periods.ts";
import type { SubscriptionRow } from "../subscriptions/store.ts";
import { html, type Html } from "./html.ts";
import { mask, maskPhone } from "./mask.ts";
import type { Checkout } from "./open.ts";
import { longDate, money } from "./page.ts";

export function heading({ seller, subscription }: Checkout): Html {
  return html`<header>
    <p class="seller">${seller.name}</p>
    <h1>${subscription.product_name}</h1>
    <p class="plan">${subscription.plan_name} · ${subscription.label}</p>
  </header>`;
}

/** What the payment is for, in days; and since when it is owed. */
export function periodNote({ seller, subscription, period }: Checkout): Html {
  if (period === null) return html`<p class="period">Paid once. It does not renew.</p>`;
  const { next_billing_cycle: billingCycle, status } = subscription;
  const days = html`${longDate(period.from)} to ${longDate(period.to)}`;
  if (status === "due" && billingCycle)
    return html`<p class="period">
      For ${days}. It was due on ${longDate(localDate(billingCycle, seller.time_zone))}.
    </p>`;
  return html`<p class="period">
    ${status === "active" ? "The next period" : "For"}: ${days}. Renewals are paid by you;
    nothing is taken by itself.
  </p>`;
}

const line = (name: string, amount: string, kind = "") =>
  html`<div class="${kind}">
    <dt>${name}</dt>
    <dd>${amount}</dd>
  </div>`;

export function priceLines({ amount, vatRate, subscription }: Checkout): Html {
  const { price, discount, vat, vat_is_included, total } = amount;
  const write = (text: string) => money(subscription.currency, text);
  return html`<dl class="lines">
    ${line("Price", write(price))} ${discount && line("Offer", `− ${write(discount)}`)}
    ${vat && !vat_is_included && line(`VAT ${vatRate} %`, write(vat))}
    ${line("To pay", write(total), "total")}
    ${vat && vat_is_included && line(`of which VAT ${vatRate} %`, write(vat), "note")}
  </dl>`;
}

export function buyerCard({ full_name, phone, email }: SubscriptionRow, seller: string): Html {
  return html`<section class="buyer" aria-labelledby="buyer">
    <h2 id="buyer">Your details</h2>
    <p>${mask(full_name)}<br />${maskPhone(phone)}<br />${mask(email)}</p>
    <p class="hint">
      Hidden from anyone else who has this link. Not you? Ask ${seller} before you pay.
    </p>
  </section>`;
}
