import type { Amount } from "../subscriptions/pricing.ts";
import type { SubscriptionRow } from "../subscriptions/store.ts";
import { SANDBOX_CODE } from "./attempt.ts";
import { html, type Html } from "./html.ts";
import { isPayable, returnAddress, type Checkout } from "./open.ts";
import type { Attempt } from "./store.ts";

interface Frame {
  title: string;
  body: Html;
  /** Where the browser goes by itself after two seconds. */
  onward?: string;
}

export function page({ title, body, onward }: Frame): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${onward ? html`<meta http-equiv="refresh" content="2; url=${onward}" />` : null}
        <title>${title}</title>
        <link rel="stylesheet" href="/pay-assets/checkout.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `.text;
}

const money = (currency: string, amount: string) => {
  const [whole = "", fraction = ""] = amount.split(".");
  return `${currency} ${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${fraction}`;
};

/** Whoever merely has the link learns no more than the buyer needs to recognise it. */
export function mask(text: string): string {
  return text.replace(/[^\s@.+-]+/gu, (word) => {
    const characters = [...new Intl.Segmenter().segment(word)].map(({ segment }) => segment);
    return `${characters[0]}${"•".repeat(Math.min(Math.max(characters.length - 1, 1), 6))}`;
  });
}

const maskPhone = (phone: string) => `•••• ${phone.replace(/\D/g, "").slice(-3)}`;

function heading({ seller, subscription }: Checkout): Html {
  return html`<header>
    <p class="seller">${seller.name}</p>
    <h1>${subscription.product_name}</h1>
    <p class="plan">${subscription.plan_name} · ${subscription.label}</p>
  </header>`;
}

function priceLines(
  { price, discount, vat, vat_is_included, total }: Amount,
  currency: string,
): Html {
  return html`<dl class="lines">
    <div>
      <dt>Price</dt>
      <dd>${money(currency, price)}</dd>
    </div>
    ${
      discount &&
      html`<div>
        <dt>Offer</dt>
        <dd>− ${money(currency, discount)}</dd>
      </div>`
    }
    ${
      vat &&
      !vat_is_included &&
      html`<div>
        <dt>VAT</dt>
        <dd>${money(currency, vat)}</dd>
      </div>`
    }
    <div class="total">
      <dt>To pay</dt>
      <dd>${money(currency, total)}</dd>
    </div>
    ${
      vat &&
      vat_is_included &&
      html`<div class="note">
        <dt>VAT inside</dt>
        <dd>${money(currency, vat)}</dd>
      </div>`
    }
  </dl>`;
}

function buyerCard({ full_name, phone, email }: SubscriptionRow): Html {
  return html`<section aria-labelledby="buyer">
    <h2 id="buyer">Buyer</h2>
    <p>${mask(full_name)}<br />${maskPhone(phone)}<br />${mask(email)}</p>
  </section>`;
}

const notice = (text: string | null, tone: "bad" | "good" = "bad") =>
  text &&
  html`<p class="notice ${tone}" role="${tone === "bad" ? "alert" : "status"}">${text}</p>`;

export function startPage(checkout: Checkout, message: string | null): Frame {
  const { subscription, amount, seller } = checkout;
  return {
    title: `Pay ${seller.name}`,
    body: html`${heading(checkout)}${notice(message)}
      ${priceLines(amount, subscription.currency)} ${buyerCard(subscription)}
      <form method="post" action="/pay/${subscription.subscription_id}/code">
        <fieldset>
          <legend>Pay with</legend>
          <label class="choice"
            ><input type="radio" name="method" value="wallet" required checked /> Mobile
            wallet</label
          >
          <label class="choice"
            ><input type="radio" name="method" value="bank" /> Bank account</label
          >
        </fieldset>
        <button>Send me a code</button>
        <p class="hint">
          We send a one-time code to the buyer's phone. Nothing is charged yet.
        </p>
      </form>`,
  };
}

export function codePage(checkout: Checkout, attempt: Attempt, message: string | null): Frame {
  const { subscription, amount, seller } = checkout;
  const total = money(subscription.currency, amount.total);
  return {
    title: `Confirm your payment to ${seller.name}`,
    body: html`${heading(checkout)}${notice(message)}
      ${priceLines(amount, subscription.currency)}
      <form method="post" action="/pay/${subscription.subscription_id}/pay">
        <input type="hidden" name="attempt" value="${attempt.attempt_id}" />
        <input type="hidden" name="total" value="${amount.total}" />
        <label for="code">One-time code sent to ${maskPhone(subscription.phone)}</label>
        <input
          id="code"
          name="code"
          inputmode="numeric"
          autocomplete="one-time-code"
          pattern="[0-9]{6}"
          maxlength="6"
          required
          autofocus
        />
        <fieldset class="sandbox">
          <legend>Sandbox</legend>
          <p>
            No message was sent and no money moves. The code is
            <strong>${SANDBOX_CODE}</strong>.
          </p>
          <label class="choice"
            ><input type="radio" name="outcome" value="approve" checked /> The ${attempt.method}
            approves</label
          >
          <label class="choice"
            ><input type="radio" name="outcome" value="decline" /> The ${attempt.method}
            declines</label
          >
        </fieldset>
        <button>Pay ${total}</button>
        <p class="hint">
          <a href="/pay/${subscription.subscription_id}">Choose another way to pay</a>
        </p>
      </form>`,
  };
}

const ENDED: Partial<Record<SubscriptionRow["status"], string>> = {
  active: "This is paid. There is nothing more to do here.",
  pending_cancellation: "This subscription ends with its current period. Nothing is owed.",
  cancelled: "This subscription was cancelled. Ask the seller for a new link.",
  inactive: "This subscription has ended. Ask the seller for a new link.",
};

/** For a link that takes no payment any more; just paid, it leads the buyer back by itself. */
export function settledPage(checkout: Checkout, { justPaid }: { justPaid: boolean }): Frame {
  const { seller, subscription } = checkout;
  const address = returnAddress(subscription);
  const isPaid = subscription.status === "active";
  return {
    title: isPaid ? `Paid to ${seller.name}` : seller.name,
    ...(justPaid && isPaid ? { onward: address } : {}),
    body: html`${heading(checkout)}
      ${notice(justPaid && isPaid ? "Payment received. Thank you." : (ENDED[subscription.status] ?? null), isPaid ? "good" : "bad")}
      <a class="button" href="${address}" rel="noreferrer"
        >Back to ${new URL(address).host}</a
      >`,
  };
}

export function messagePage(title: string, text: string): Frame {
  return {
    title,
    body: html`<header><h1>${title}</h1></header>
      <p>${text}</p>`,
  };
}

export const unavailablePage = (checkout: Checkout): Frame => ({
  title: checkout.seller.name,
  body: html`${heading(checkout)}${notice(
    isPayable(checkout.subscription)
      ? "This service has no way to take live payments yet."
      : null,
  )}`,
});
