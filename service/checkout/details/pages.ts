import { randomUUID } from "node:crypto";
import { CORRECTED_FIELDS, type CorrectedField } from "#contract/names.ts";
import { MAX_LENGTHS } from "#contract/subscriptions.ts";
import { html, type Html } from "../../http/html.ts";
import type { ShownCheckout } from "../open.ts";
import { noticeBox, type PageFrame } from "../page.ts";
import type { PageReader } from "../reader.ts";
import {
  buyerCard,
  buyersPageLink,
  checkoutHeading,
  codeField,
  mask,
  maskPhone,
  testNote,
} from "../sections.ts";
import type { DetailProblems, TypedDetails } from "./correct.ts";

interface Shown {
  checkout: ShownCheckout;
  mode: "test" | "live";
  reader: PageReader;
}

/** The page that offers a code; also shown if nothing can be corrected any more. */
export function offerPage(
  { checkout, mode, reader }: Shown,
  { message, isCorrectable }: { message: string | null; isCorrectable: boolean },
): PageFrame {
  const { seller, subscription, branding } = checkout;
  const { texts, own } = reader;
  const { correct } = texts;
  return {
    title: correct.title(seller.name),
    branding,
    body: html`${testNote(mode, reader)}${checkoutHeading(checkout)}
    ${noticeBox(isCorrectable ? message : correct.settled)}
    ${
      isCorrectable &&
      html`${buyerCard(checkout, reader)}
        <form
          method="post"
          action="${own(`/pay/${subscription.subscription_id}/details/code`)}"
        >
          <input type="hidden" name="page" value="${randomUUID()}" />
          <p>${correct.why}</p>
          <button>${texts.sendCode}</button>
          <p class="hint">${correct.codeGoesTo(maskPhone(subscription.phone))}</p>
        </form>
        <p class="hint">${correct.phone(seller.name)}</p>`
    }
    ${wayBack(checkout, reader)}`,
  };
}

export function correctedPage({ checkout, reader }: Shown): PageFrame {
  const { correct } = reader.texts;
  return {
    title: correct.title(checkout.seller.name),
    branding: checkout.branding,
    query: { done: "1" },
    body: html`${checkoutHeading(checkout)}
      ${noticeBox(correct.done(checkout.seller.name), "good")} ${buyerCard(checkout, reader)}
      <a class="button" href="${reader.own(addressOf(checkout))}">${correct.back}</a>
      ${buyersPageLink(checkout, reader)}`,
  };
}

/** What the page shows in addition to an empty form. */
interface FormState {
  id: string;
  typed: TypedDetails;
  problems: DetailProblems;
  /** The code as typed; empty after a wrong one. */
  typedCode: string;
  isWrongCode: boolean;
  /** Tries that are left for the code. */
  left: number;
  message: string | null;
  /** Whether the code went by mail, so that the address cannot be changed with it. */
  isByMail: boolean;
  /** The code, in test mode. */
  code: string | null;
}

/**
 * The form for the code and the details. It shows stored details only masked, so that it tells a thief
 * little.
 */
export function detailsForm(
  { checkout, mode, reader }: Shown,
  { id, typed, problems, typedCode, isWrongCode, left, message, isByMail, code }: FormState,
): PageFrame {
  const { seller, subscription, branding } = checkout;
  const { texts, own, digits } = reader;
  const { correct } = texts;
  const address = `/pay/${subscription.subscription_id}/details`;
  const fields = CORRECTED_FIELDS.filter((field) => !isByMail || field !== "email");
  const first = CORRECTED_FIELDS.find((field) => problems[field]);
  const hasProblem = isWrongCode || first !== undefined;
  const sentTo = isByMail ? mask(subscription.email) : maskPhone(subscription.phone);
  const tries = digits(String(left));
  return {
    title: correct.title(seller.name),
    branding,
    query: { code: id },
    body: html`${testNote(mode, reader)}${checkoutHeading(checkout)}
      ${noticeBox(message ?? (hasProblem ? correct.checkFields : null))}
      <form method="post" action="${own(address)}">
        <input type="hidden" name="id" value="${id}" />
        ${codeField(
          {
            label: texts.code(sentTo),
            isWrong: isWrongCode,
            tries: html`<p class="${isWrongCode ? "problem" : "hint"}" id="code-tries">
              ${isWrongCode && texts.outcome.wrong_code} ${texts.triesLeft(tries)}
            </p>`,
            code,
            typed: typedCode,
            isFocused: !first,
          },
          reader,
        )}
        <p class="fill">${correct.fill}</p>
        ${fields.map((field) =>
          detailField(field, {
            typed: typed[field],
            problem: problems[field] ? correct.problems[problems[field]] : null,
            isFirst: field === first,
            now: correct.now(mask(subscription[field])),
            label: correct.fields[field],
          }),
        )}
        ${isByMail && html`<p class="hint">${correct.problems.proves}</p>`}
        <p class="hint">${correct.phone(seller.name)}</p>
        <button>${correct.save}</button>
        <button
          class="quieter"
          formaction="${own(`${address}/code`)}"
          formnovalidate
          name="page"
          value="${randomUUID()}"
        >
          ${texts.anotherCode}
        </button>
      </form>
      ${wayBack(checkout, reader)}`,
  };
}

function detailField(
  field: CorrectedField,
  shown: {
    typed: string;
    problem: string | null;
    isFirst: boolean;
    now: string;
    label: string;
  },
): Html {
  const { typed, problem, isFirst, now, label } = shown;
  const described = `${problem === null ? "" : `${field}-problem `}${field}-now`;
  const attributes = html`id="${field}" name="${field}" class="field"
  aria-describedby="${described}" ${problem !== null && html`aria-invalid="true"`}
  ${isFirst && html`autofocus`}`;
  return html`<label for="${field}">${label}</label>
    ${
      field === "address"
        ? html`<textarea
            ${attributes}
            rows="3"
            autocomplete="street-address"
            maxlength="${MAX_LENGTHS.address}"
          >
${typed}</textarea>`
        : html`<input
            ${attributes}
            value="${typed}"
            ${
              field === "email"
                ? html`inputmode="email" autocomplete="email" maxlength="${MAX_LENGTHS.email}"`
                : html`autocomplete="name" maxlength="${MAX_LENGTHS.name}"`
            }
          />`
    }
    ${problem !== null && html`<p class="problem" id="${field}-problem">${problem}</p>`}
    <p class="hint" id="${field}-now">${now}</p>`;
}

const addressOf = ({ subscription }: ShownCheckout) => `/pay/${subscription.subscription_id}`;

const wayBack = (checkout: ShownCheckout, { texts, own }: PageReader) =>
  html`<p class="hint alone">
    <a href="${own(addressOf(checkout))}">${texts.correct.back}</a>
  </p>`;
