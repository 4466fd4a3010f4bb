import { randomUUID } from "node:crypto";
import { MAX_LENGTHS } from "#contract/subscriptions.ts";
import { buyersPageOf } from "../account/profile.ts";
import { testCodeOf } from "../checkout/codes.ts";
import { noticeBox, type PageFrame } from "../checkout/page.ts";
import { textByName, type PageReader } from "../checkout/reader.ts";
import {
  checkoutHeading,
  codeField,
  maskPhone,
  priceLines,
  testNote,
  triesLine,
} from "../checkout/sections.ts";
import { html, type Html } from "../http/html.ts";
import { addressOf, type Closed, type SharedOffer } from "./open.ts";
import { DETAIL_FIELDS, type DetailField, type OrderProblems } from "./order.ts";
import type { Details, Order } from "./store.ts";
import { SHARED_LINK_WORDS } from "./words.ts";

export interface ShownOffer {
  offer: SharedOffer;
  mode: "test" | "live";
  reader: PageReader;
  /** The outcome that the address names, or the form's. */
  outcome: string | null;
}

const EMPTY: Details = { full_name: "", phone: "", email: "", address: "" };

/** Shows what is sold and at what price today, with the form for the buyer's details. */
export function orderPage(
  shown: ShownOffer,
  { typed, problems }: { typed: Details; problems: OrderProblems } = {
    typed: EMPTY,
    problems: {},
  },
): PageFrame {
  const { offer, mode, reader, outcome } = shown;
  const { link, seller } = offer;
  const words = SHARED_LINK_WORDS[reader.language];
  const first = DETAIL_FIELDS.find((field) => problems[field]);
  return {
    ...frameOf(shown),
    body: html`${testNote(mode, reader)}${headingOf(offer)}
      ${noticeBox(first ? words.problem.fields : textByName(words.problem, outcome))}
      ${priceLines({ ...offer, subscription: link }, reader)}
      ${link.interval_type === "one_time" && html`<p class="period">${words.once}</p>`}
      ${link.description !== "" && html`<p class="wish">${link.description}</p>`}
      ${
        link.terms_and_conditions !== "" &&
        html`<details>
          <summary class="small">${words.terms}</summary>
          <p class="wish">${link.terms_and_conditions}</p>
        </details>`
      }
      <form method="post" action="${reader.own(addressOf(link))}" novalidate>
        <input type="hidden" name="page" value="${randomUUID()}" />
        <p>${words.lead(seller.name)}</p>
        ${DETAIL_FIELDS.map((field) =>
          detailField(field, {
            label: field === "phone" ? words.phone : reader.texts.correct.fields[field],
            typed: typed[field],
            problem: problemText(problems[field], reader),
            isFirst: field === first,
          }),
        )}
        <button>${words.order}</button>
        <p class="hint">${words.hint(seller.name)}</p>
      </form>`,
  };
}

function problemText(problem: OrderProblems[DetailField], { texts }: PageReader) {
  if (problem === undefined) return null;
  return texts.correct.problems[problem === "blank" ? "required" : problem];
}

const ATTRIBUTES: Record<DetailField, Html> = {
  full_name: html`autocomplete="name" maxlength="${MAX_LENGTHS.name}"`,
  phone: html`type="tel" autocomplete="tel" maxlength="${MAX_LENGTHS.phone}"`,
  email: html`type="email" autocomplete="email" maxlength="${MAX_LENGTHS.email}"`,
  address: html`autocomplete="street-address" maxlength="${MAX_LENGTHS.address}"`,
};

function detailField(
  field: DetailField,
  {
    label,
    typed,
    problem,
    isFirst,
  }: { label: string; typed: string; problem: string | null; isFirst: boolean },
): Html {
  const attributes = html`id="${field}" name="${field}" class="field" required
  ${ATTRIBUTES[field]}
  ${problem !== null && html`aria-invalid="true" aria-describedby="${field}-problem"`}
  ${isFirst && html`autofocus`}`;
  return html`<label for="${field}">${label}</label> ${
      field === "address"
        ? html`<textarea ${attributes} rows="2">${typed}</textarea>`
        : html`<input ${attributes} value="${typed}" />`
    }
    ${problem !== null && html`<p class="problem" id="${field}-problem">${problem}</p>`}`;
}

/** Asks for the code. It says the same whether the seller knows the number or not. */
export function confirmPage(shown: ShownOffer, order: Order): PageFrame {
  const { offer, mode, reader, outcome } = shown;
  const { texts, own, language } = reader;
  const words = SHARED_LINK_WORDS[language];
  const address = addressOf(offer.link);
  const isWrong = outcome === "wrong_code" && order.wrong_codes > 0;
  return {
    ...frameOf(shown),
    query: { order: order.order_id },
    body: html`${testNote(mode, reader)}${headingOf(offer)}
      ${noticeBox(isWrong ? null : textByName(words.problem, outcome))}
      ${priceLines({ ...offer, subscription: offer.link }, reader)}
      <p>${words.sent(maskPhone(order.phone))}</p>
      <form method="post" action="${own(`${address}/confirm`)}">
        <input type="hidden" name="order" value="${order.order_id}" />
        ${codeField(
          {
            label: words.code,
            isWrong,
            tries: triesLine(order, { isWrong }, reader),
            purpose: texts.codeIsFor,
            code: mode === "test" ? testCodeOf(order.order_id) : null,
          },
          reader,
        )}
        <button>${words.confirm}</button>
      </form>
      <form class="quiet" method="post" action="${own(`${address}/again`)}">
        <input type="hidden" name="order" value="${order.order_id}" />
        <input type="hidden" name="page" value="${randomUUID()}" />
        <button>${texts.anotherCode}</button>
      </form>
      <p class="hint alone"><a href="${own(address)}">${words.other}</a></p>`,
  };
}

/** The page for a buyer who confirmed their number and has the subscription already. */
export function hasItPage(shown: ShownOffer): PageFrame {
  const { offer, reader } = shown;
  const words = SHARED_LINK_WORDS[reader.language];
  return {
    ...frameOf(shown),
    query: { outcome: "has_it" },
    body: html`${headingOf(offer)} ${noticeBox(words.has(offer.link.product_name), "calm")}
      <p>${words.hasText}</p>
      <a class="button" href="${reader.own(buyersPageOf(offer.seller))}">${words.ownPage}</a>`,
  };
}

/** The page that says why nothing can be ordered; of the seller it shows the name alone. */
export function closedPage(
  { offer: { seller }, reader }: ShownOffer,
  closed: Closed,
): PageFrame {
  const words = SHARED_LINK_WORDS[reader.language];
  return {
    title: seller.name,
    body: html`<header><h1>${seller.name}</h1></header>
      ${noticeBox(words.closed[closed], "calm")}
      <p>${words.ask(seller.name)}</p>`,
  };
}

const frameOf = ({ offer: { link, seller, branding }, reader }: ShownOffer) => ({
  title: SHARED_LINK_WORDS[reader.language].title(link.product_name, seller.name),
  branding,
});

const headingOf = ({ link, ...offer }: SharedOffer) =>
  checkoutHeading({ ...offer, subscription: link });
