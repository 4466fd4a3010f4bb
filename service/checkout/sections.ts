import { html, type Html } from "../http/html.ts";
import { localDate } from "#contract/process/local-day.ts";
import { buyersPageOf } from "../account/profile.ts";
import type { Seller } from "../sellers/store.ts";
import type { SubscriptionRow } from "../subscriptions/store.ts";
import { ownImage, type Branding } from "./branding.ts";
import { WRONG_CODES_ALLOWED, type SentCode } from "./codes.ts";
import type { Checkout } from "./open.ts";
import type { PageReader } from "./reader.ts";
import type { Attempt } from "./store.ts";

/** What is being bought, as the head of a page shows it. */
interface Shown {
  seller: Pick<Seller, "name">;
  branding: Branding;
  subscription: Pick<SubscriptionRow, "product_name" | "plan_name" | "label">;
}

export function checkoutHeading({ seller, subscription, branding }: Shown): Html {
  return html`<header>
    <p class="seller">${ownImage(branding.logo, "logo")} <span>${seller.name}</span></p>
    <div class="item">
      ${ownImage(branding.product_image, "product")}
      <div>
        <h1>${subscription.product_name}</h1>
        <p class="plan">${subscription.plan_name} · ${subscription.label}</p>
      </div>
    </div>
  </header>`;
}

/** The note that no money moves; in test mode only. */
export const testNote = (mode: "test" | "live", { texts }: PageReader): Html | null =>
  mode === "test" ? html`<p class="test">${texts.testMode}</p>` : null;

export const periodNote = (checkout: Checkout, reader: PageReader): Html =>
  html`<p class="period">${periodText(checkout, reader)}</p>`;

function periodText(
  { seller, subscription, period }: Checkout,
  { texts, day }: PageReader,
): string {
  if (period === null) return texts.once;
  const { next_billing_cycle: billingCycle, status } = subscription;
  const [from, to] = [day(period.from), day(period.to)];
  if (status === "due" && billingCycle)
    return texts.due(from, to, day(localDate(billingCycle, seller.time_zone)));
  return status === "active" ? texts.nextPeriod(from, to) : texts.period(from, to);
}

/** The way to correct the buyer's details. */
export const correctLink = ({ subscription }: Checkout, { texts, own }: PageReader) =>
  html`<p class="hint alone">
    <a href="${own(`/pay/${subscription.subscription_id}/details`)}">${texts.correct.link}</a>
  </p>`;

/** The way to all that the buyer has at this seller. */
export const buyersPageLink = (
  { seller }: Pick<Checkout, "seller">,
  { texts, own }: PageReader,
) =>
  html`<p class="hint alone">
    <a href="${own(buyersPageOf(seller))}">${texts.buyersPage(seller.name)}</a>
  </p>`;

/** The number of tries left for a code, and after a wrong one, that it was wrong. */
export function triesLine(
  { wrong_codes }: Pick<SentCode, "wrong_codes">,
  { isWrong, isMarked = isWrong }: { isWrong: boolean; isMarked?: boolean },
  { texts, digits }: PageReader,
): Html {
  const left = texts.triesLeft(digits(String(WRONG_CODES_ALLOWED - wrong_codes)));
  const kind = isMarked ? "problem" : "hint";
  return html`<p class="${kind}" id="code-tries" ${isWrong && html`role="alert"`}>
    ${isWrong && texts.outcome.wrong_code} ${left}
  </p>`;
}

interface CodeField {
  label: string;
  isWrong: boolean;
  /** The number of tries left, in an element with the id `code-tries`. */
  tries: Html;
  /** The purpose of the code, after the general hint. */
  purpose?: string;
  /** The code, in test mode. */
  code: string | null;
  typed?: string;
  isFocused?: boolean;
}

/** The field for a one-time code. */
export const codeField = (
  { label, isWrong, tries, purpose, code, typed = "", isFocused = true }: CodeField,
  { texts }: PageReader,
) =>
  html`<label for="code">${label}</label>
    <input
      id="code"
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      pattern="[0-9०-९]{6}"
      maxlength="6"
      value="${typed}"
      aria-describedby="code-tries code-hint"
      ${isWrong && html`aria-invalid="true"`}
      required
      ${isFocused && html`autofocus`}
    />
    ${tries}
    <p class="hint" id="code-hint">${texts.codeHint} ${purpose}</p>
    ${
      code !== null &&
      html`<div class="sandbox">
        <p>${texts.sandboxCode} <strong>${code}</strong></p>
      </div>`
    }`;

const line = (name: string, amount: string, kind = "") =>
  html`<div class="${kind}">
    <dt>${name}</dt>
    <dd>${amount}</dd>
  </div>`;

export function priceLines(
  {
    amount,
    vatRate,
    subscription,
  }: Pick<Checkout, "amount" | "vatRate"> & {
    subscription: Pick<SubscriptionRow, "currency">;
  },
  { texts, money, digits }: PageReader,
): Html {
  const { price, discount, vat, vat_is_included, total } = amount;
  const rate = digits(vatRate);
  const write = (text: string) => money(subscription.currency, text);
  return html`<dl class="lines">
    ${line(texts.price, write(price))} ${discount && line(texts.offer, `− ${write(discount)}`)}
    ${vat && !vat_is_included && line(texts.vat(rate), write(vat))}
    ${line(texts.toPay, write(total), "total")}
    ${vat && vat_is_included && line(texts.ofWhichVat(rate), write(vat), "note")}
  </dl>`;
}

/** The amount of an attempt, as its buyer agreed to it, and the period. */
export function agreedLines(
  checkout: Checkout,
  { amount, vat, currency }: Pick<Attempt, "amount" | "vat" | "currency">,
  reader: PageReader,
): Html {
  const { texts, money } = reader;
  const write = (text: string) => money(currency ?? "", text);
  return html`<dl class="lines">
      ${line(texts.toPay, write(amount ?? "0.00"), "total")}
      ${vat && line(texts.ofWhichTax, write(vat), "note")}
    </dl>
    ${periodNote(checkout, reader)}`;
}

export function buyerCard(
  { seller, subscription: { full_name, phone, email } }: Checkout,
  { texts }: PageReader,
): Html {
  return html`<section class="buyer" aria-labelledby="buyer">
    <h2 id="buyer">${texts.details}</h2>
    <p>${mask(full_name)}<br />${maskPhone(phone)}<br />${mask(email)}</p>
    <p class="hint">${texts.hidden(seller.name)}</p>
  </section>`;
}

/** Hides most of the buyer's data, because anyone with the link can open the page. */
export function mask(text: string): string {
  return text.replace(/[^\s@.+-]+/gu, (word) => {
    const characters = [...new Intl.Segmenter().segment(word)].map(({ segment }) => segment);
    return `${characters[0]}${"•".repeat(Math.min(Math.max(characters.length - 1, 1), 6))}`;
  });
}

export const maskPhone = (phone: string) => `•••• ${phone.replace(/\D/g, "").slice(-3)}`;
