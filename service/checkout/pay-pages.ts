import { randomUUID } from "node:crypto";
import { html } from "../http/html.ts";
import { isPayable, takesPayments, type Checkout, type ShownCheckout } from "./open.ts";
import { otherWays } from "./branding.ts";
import type { PayMethod } from "./charges/methods.ts";
import { noticeBox, type PageFrame } from "./page.ts";
import { textByName, type PageReader } from "./reader.ts";
import {
  agreedLines,
  buyerCard,
  checkoutHeading,
  codeField,
  correctLink,
  maskPhone,
  periodNote,
  priceLines,
  testNote,
  triesLine,
} from "./sections.ts";
import { isWithoutCode, type Attempt } from "./store.ts";

const step = ({ texts, digits }: PageReader, number: 1 | 2 | 3) => {
  const name = { 1: texts.look, 2: texts.confirm, 3: texts.wait }[number];
  return html`<p class="step">${texts.step(digits(String(number)), name)}</p>`;
};

const aheadField = ({ subscription }: Checkout) =>
  !isPayable(subscription) && html`<input type="hidden" name="early" value="1" />`;

const pageField = () => html`<input type="hidden" name="page" value="${randomUUID()}" />`;

const choice = (value: string, name: string, isChosen: boolean) =>
  html`<label class="choice"
    ><input
      type="radio"
      name="method"
      value="${value}"
      required
      ${isChosen ? html`checked` : null}
    />
    ${name}</label
  >`;

/**
 * The page with what is owed and to whom; for a running subscription, with the price of the next
 * period.
 */
export function startPage(
  checkout: ShownCheckout,
  {
    methods,
    message,
    mode,
    isKnown,
  }: {
    methods: PayMethod[];
    message: string | null;
    mode: "test" | "live";
    /** Whether a code has proven the buyer's number to this browser already. */
    isKnown: boolean;
  },
  reader: PageReader,
): PageFrame {
  const { subscription, seller, amount } = checkout;
  const { texts, own } = reader;
  const asksForCode = !isKnown && methods.some(({ needsNoCode }) => !needsNoCode);
  return {
    title: texts.pay(seller.name),
    body: html`${asksForCode && step(reader, 1)}${testNote(mode, reader)}${checkoutHeading(checkout)}${noticeBox(message)}
      ${priceLines(checkout, reader)} ${periodNote(checkout, reader)}
      ${buyerCard(checkout, reader)} ${correctLink(checkout, reader)}
      <form method="post" action="${own(`/pay/${subscription.subscription_id}/code`)}">
        ${aheadField(checkout)} ${pageField()}
        <input type="hidden" name="total" value="${amount.total}" />
        <fieldset>
          <legend>${texts.payWith}</legend>
          ${methods.map(({ value, method, label }, index) =>
            choice(value, label ?? texts.methods[method], index === 0),
          )}
        </fieldset>
        ${nextStep(checkout, { methods, isKnown }, reader)}
      </form>
      ${otherWays(checkout.branding, reader)}`,
  };
}

/** The button, and its effect for the ways to pay that can be chosen. */
function nextStep(
  { subscription }: Checkout,
  { methods, isKnown }: { methods: PayMethod[]; isKnown: boolean },
  { texts }: PageReader,
) {
  if (isKnown)
    return html`<button>${texts.next}</button>
      <p class="hint">${texts.isKnown}</p>`;
  const phone = maskPhone(subscription.phone);
  const signedIn = methods.filter(({ needsNoCode }) => needsNoCode);
  if (signedIn.length === 0)
    return html`<button>${texts.sendCode}</button>
      <p class="hint">${texts.codeGoesTo(phone)}</p>`;
  const names = signedIn.map(({ label }) => label).join(", ");
  const hint =
    signedIn.length === methods.length ? texts.signsIn : texts.signsInAt(names, phone);
  return html`<button>${texts.next}</button>
    <p class="hint">${hint}</p>`;
}

interface ShownAttempt {
  attempt: Attempt;
  outcome: string;
  /** The value that the form sends for the attempt's way to pay. */
  value: string;
  /** The account's name as buyers read it; null for the sandbox. */
  name: string | null;
  /** The code, in test mode; null in live mode. */
  code: string | null;
}

export function codePage(
  checkout: ShownCheckout,
  { attempt, outcome, code, value, name }: ShownAttempt,
  reader: PageReader,
): PageFrame {
  const isWrong = outcome === "wrong_code" && attempt.wrong_codes > 0;
  const message = isWrong ? null : textByName(reader.texts.outcome, outcome);
  const { subscription, amount, seller } = checkout;
  const { texts, own, money } = reader;
  const { subscription_id: id } = subscription;
  return {
    title: texts.confirmPayment(seller.name),
    body: html`${step(reader, 2)}${checkoutHeading(checkout)}${noticeBox(message)}
      ${priceLines(checkout, reader)} ${periodNote(checkout, reader)}
      <form method="post" action="${own(`/pay/${id}/pay`)}">
        <input type="hidden" name="attempt" value="${attempt.attempt_id}" />
        <input type="hidden" name="total" value="${amount.total}" />
        ${codeField(
          {
            label: texts.code(maskPhone(subscription.phone)),
            isWrong,
            tries: triesLine(attempt, { isWrong, isMarked: attempt.wrong_codes > 0 }, reader),
            purpose: texts.codeIsFor,
            code,
          },
          reader,
        )}
        <p class="hint">${texts.nextConfirm(whereOf(attempt, name, reader))}</p>
        <button>${texts.payNow(money(subscription.currency, amount.total))}</button>
      </form>
      <form class="quiet" method="post" action="${own(`/pay/${id}/code`)}">
        ${aheadField(checkout)} ${pageField()}
        <input type="hidden" name="method" value="${value}" />
        <button>${texts.anotherCode}</button>
      </form>
      <p class="hint">
        <a href="${own(`/pay/${id}?choose=1${isPayable(subscription) ? "" : "&early=1"}`)}"
          >${texts.anotherWay}</a
        >
      </p>`,
  };
}

/** Where the buyer pays, as a part of a sentence. */
const whereOf = ({ method }: Attempt, name: string | null, { texts }: PageReader) =>
  name ?? texts.your(texts[method]);

/** The link with which the buyer of an attempt continues to pay. */
export const onwardOf = (attempt: Attempt) =>
  attempt.account_id === null
    ? `/sandbox-pay/${attempt.provider_reference}`
    : `/pay/${attempt.subscription_id}/go?attempt=${attempt.attempt_id}`;

/** Seconds after which a page that waits for a person's decision reloads. */
const UNTIL_CHECKED = 60;

/** The page shown until the provider answers, or a person decides; it reloads itself. */
export function waitingPage(
  checkout: ShownCheckout,
  { attempt, name, isHeld }: { attempt: Attempt; name: string | null; isHeld: boolean },
  reader: PageReader,
): PageFrame {
  const { seller } = checkout;
  const { texts, own, money } = reader;
  const { provider_reference, account_id, amount, currency } = attempt;
  const where = whereOf(attempt, name, reader);
  const here = `/pay/${attempt.subscription_id}?attempt=${attempt.attempt_id}`;
  const otherWay =
    account_id !== null &&
    html`<p class="hint">
      ${texts.noAnswer}
      <a href="${own(`/pay/${attempt.subscription_id}?choose=1`)}">${texts.anotherWay}</a>
    </p>`;
  const goBack =
    provider_reference &&
    !isHeld &&
    html`<p class="hint">
      ${texts.notConfirmed} <a href="${own(onwardOf(attempt))}">${texts.goBack(where)}</a>
    </p>`;
  const seconds = account_id === null ? 3 : 5;
  return {
    title: isHeld ? texts.checked : texts.waitingFor(where),
    onward: { seconds: isHeld ? UNTIL_CHECKED : seconds },
    body: html`${!isWithoutCode(attempt) && step(reader, 3)}${checkoutHeading(checkout)}
      ${noticeBox(isHeld ? texts.checkedText(seller.name) : texts.waitingForText(where), "calm")}
      ${agreedLines(checkout, attempt, reader)}
      <p>${texts.notTwice(money(currency ?? "", amount ?? "0.00"), seller.name)}</p>
      <a class="button" href="${own(here)}">${texts.lookAgain}</a>
      ${goBack} ${otherWay}`,
  };
}

export const unavailablePage = (checkout: ShownCheckout, reader: PageReader): PageFrame => ({
  title: checkout.seller.name,
  body: html`${checkoutHeading(checkout)}${noticeBox(
    takesPayments(checkout) ? reader.texts.noLivePayments : reader.texts.sellerSuspended,
  )}${otherWays(checkout.branding, reader)}`,
});
