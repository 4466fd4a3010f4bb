import { SANDBOX_CODE } from "./attempt.ts";
import { html } from "./html.ts";
import { maskPhone } from "./mask.ts";
import { isPayable, type Checkout } from "./open.ts";
import { money, notice, type Frame } from "./page.ts";
import { buyerCard, heading, periodNote, priceLines } from "./sections.ts";
import type { Attempt, Method } from "./store.ts";

export const METHODS: Record<Method, string> = {
  wallet: "Mobile wallet",
  bank: "Bank account",
};

const step = (number: number, name: string) =>
  html`<p class="step">Step ${number} of 3 · ${name}</p>`;

const aheadField = ({ subscription }: Checkout) =>
  !isPayable(subscription) && html`<input type="hidden" name="ahead" value="1" />`;

const choice = (method: Method, isChosen: boolean) =>
  html`<label class="choice"
    ><input
      type="radio"
      name="method"
      value="${method}"
      required
      ${isChosen ? html`checked` : null}
    />
    ${METHODS[method]}</label
  >`;

/** What is owed, to whom and by whom; for a running subscription, what the next period costs. */
export function startPage(checkout: Checkout, message: string | null): Frame {
  const { subscription, seller } = checkout;
  return {
    title: `Pay ${seller.name}`,
    body: html`${step(1, "Look it over")}${heading(checkout)}${notice(message)}
      ${priceLines(checkout)} ${periodNote(checkout)} ${buyerCard(subscription, seller.name)}
      <form method="post" action="/pay/${subscription.subscription_id}/code">
        ${aheadField(checkout)}
        <fieldset>
          <legend>Pay with</legend>
          ${choice("wallet", true)} ${choice("bank", false)}
        </fieldset>
        <button>Send me a code</button>
        <p class="hint">
          A one-time code goes to ${maskPhone(subscription.phone)}. Nothing is charged yet.
        </p>
      </form>`,
  };
}

export function codePage(checkout: Checkout, attempt: Attempt, message: string | null): Frame {
  const { subscription, amount, seller } = checkout;
  const { subscription_id: id } = subscription;
  return {
    title: `Confirm your payment to ${seller.name}`,
    body: html`${step(2, "Confirm it is you")}${heading(checkout)}${notice(message)}
      ${priceLines(checkout)} ${periodNote(checkout)}
      <form method="post" action="/pay/${id}/pay">
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
          aria-describedby="code-hint"
          required
          autofocus
        />
        <p class="hint" id="code-hint">Six digits, valid for ten minutes.</p>
        <div class="sandbox">
          <p>
            Sandbox: no message was sent and no money moves. The code is
            <strong>${SANDBOX_CODE}</strong>.
          </p>
        </div>
        <button>Pay ${money(subscription.currency, amount.total)}</button>
        <p class="hint">Next you confirm it with your ${attempt.method}.</p>
      </form>
      <form class="quiet" method="post" action="/pay/${id}/code">
        ${aheadField(checkout)}
        <input type="hidden" name="method" value="${attempt.method}" />
        <button>Send another code</button>
      </form>
      <p class="hint">
        <a href="/pay/${id}${isPayable(subscription) ? "" : "?ahead=1"}"
          >Choose another way to pay</a
        >
      </p>`,
  };
}

/** The provider has not answered: the page asks again by itself, and says that paying twice is not needed. */
export function waitingPage(checkout: Checkout, attempt: Attempt): Frame {
  const { seller } = checkout;
  const { provider_page, amount, currency, method } = attempt;
  const here = `/pay/${attempt.subscription_id}?attempt=${attempt.attempt_id}`;
  return {
    title: `Waiting for your ${method}`,
    onward: { seconds: 3 },
    body: html`${step(3, "Waiting")}${heading(checkout)}
      ${notice(`Waiting for the ${method}. This page looks again every few seconds.`, "calm")}
      <p>
        ${money(currency ?? "", amount ?? "0.00")} to ${seller.name}. You need not pay again:
        nothing is taken twice.
      </p>
      <a class="button" href="${here}">Look again now</a>
      ${
        provider_page &&
        html`<p class="hint">
          Not confirmed yet? <a href="${provider_page}">Go back to the ${method}</a>
        </p>`
      }`,
  };
}

export const unavailablePage = (checkout: Checkout): Frame => ({
  title: checkout.seller.name,
  body: html`${heading(checkout)}${notice(
    "This service has no way to take live payments yet. Nothing was charged.",
  )}`,
});
