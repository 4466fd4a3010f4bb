import { localDate } from "#contract/process/local-day.ts";
import {
  canPayEarly,
  describeCheckout,
  isCorrectable,
  isPayable,
  type Checkout,
} from "../checkout/open.ts";
import { noticeBox, type PageFrame } from "../checkout/page.ts";
import { LANGUAGES, TEXTS, textByName, type PageReader } from "../checkout/reader.ts";
import { selectNewestRequests } from "./request-store.ts";
import { requestPart } from "./requests.ts";
import type { BuyerRequest } from "#contract/buyer-requests.ts";
import { buyersPageOf } from "../account/profile.ts";
import { correctLink, periodNote } from "../checkout/sections.ts";
import type { Database } from "../db/database.ts";
import { html, type Html } from "../http/html.ts";
import { REMINDER_WORDS } from "../reminders/words.ts";
import { sellerNow } from "../sellers/store.ts";
import { maskProven, pageHeading, type Shown } from "./sign-in-pages.ts";
import {
  selectChoices,
  selectOwnPayments,
  selectOwnSubscriptions,
  type OwnPayment,
  type Proven,
} from "./store.ts";
import { BUYER_WORDS } from "./words.ts";

const MOST_SUBSCRIPTIONS = 50;
const PAYMENTS_A_PAGE = 12;

/** The page of what a buyer, proven by a code, has and owes at a seller. */
export async function ownPage(
  database: Database,
  shown: Shown,
  proven: Proven,
  clock: Date,
): Promise<PageFrame> {
  const { seller, branding, reader, outcome } = shown;
  const words = BUYER_WORDS[reader.language];
  const now = sellerNow(seller, clock);
  const rows = await selectOwnSubscriptions(database, proven, MOST_SUBSCRIPTIONS + 1);
  const checkouts: Checkout[] = [];
  for (const stored of rows.slice(0, MOST_SUBSCRIPTIONS))
    checkouts.push(await describeCheckout(database, { seller, stored, now }));
  const having = ["active", "pending_cancellation"];
  const kept = ({ subscription: { status } }: Checkout) => having.includes(status);
  const owed = checkouts.filter(({ subscription }) => isPayable(subscription));
  const ended = checkouts.filter((each) => !isPayable(each.subscription) && !kept(each));
  const newest = await selectNewestRequests(
    database,
    seller.seller_id,
    checkouts.map(({ subscription }) => subscription.subscription_id),
  );
  const requests = new Map(newest.map((each) => [each.subscription_id, each]));
  const choices = await selectChoices(database, proven);
  const said = outcome === "chosen" ? words.chosen : null;
  const problem = textByName(words.problem, outcome);
  return {
    title: words.title(seller.name),
    branding,
    body: html`${pageHeading(shown, words.title(seller.name))}
      <p class="hint">${words.shown(maskProven(proven))}</p>
      ${noticeBox(said, "good")} ${noticeBox(problem)}
      ${
        checkouts.length === 0
          ? noticeBox(words.nothing(seller.name), "calm")
          : html`${part("owed", words.owed, owedList(owed, requests, reader))}
            ${part("have", words.have, haveList(checkouts.filter(kept), requests, reader))}
            ${ended.length > 0 && endedList(ended, reader)}
            ${rows.length > MOST_SUBSCRIPTIONS && html`<p class="hint">${words.more(seller.name)}</p>`}
            ${part("payments", words.payments, await paymentsOf(database, shown, proven, null))}
            ${part("details", reader.texts.details, detailCards(checkouts, reader))}
            ${part("language", words.language, languageForm(shown, choices?.language ?? null))}
            ${part(
              "reminders",
              REMINDER_WORDS[reader.language].page.title,
              remindersForm(shown, choices?.has_opted_out ?? false),
            )}`
      }
      <form class="quiet" method="post" action="${reader.own(`${buyersPageOf(seller)}/leave`)}">
        <button>${words.leave}</button>
        <p class="hint">${words.leaveText}</p>
      </form>`,
  };
}

/** A page of the buyer's payments that are older than the given one. */
export async function earlierPage(
  database: Database,
  shown: Shown,
  proven: Proven,
  before: string,
): Promise<PageFrame> {
  const { seller, branding, reader } = shown;
  const words = BUYER_WORDS[reader.language];
  return {
    title: words.earlier,
    branding,
    query: { before },
    body: html`${pageHeading(shown, words.earlier)}
      ${await paymentsOf(database, shown, proven, before)}
      <p class="hint alone">
        <a href="${reader.own(buyersPageOf(seller))}">${words.back}</a>
      </p>`,
  };
}

const part = (name: string, title: string, content: Html | null): Html | null =>
  content &&
  html`<section class="part" aria-labelledby="${name}">
    <h2 id="${name}">${title}</h2>
    ${content}
  </section>`;

const list = (items: Html[]) =>
  html`<ul class="items">
    ${items.map((item) => html`<li>${item}</li>`)}
  </ul>`;

const nameOf = ({ subscription }: Checkout) =>
  html`<h3 id="${`of-${subscription.subscription_id}`}">${subscription.product_name}</h3>
    <p class="plan">${subscription.plan_name} · ${subscription.label}</p>`;

const payLink = (
  { subscription: { subscription_id }, amount, subscription }: Checkout,
  { texts, own, money }: PageReader,
) =>
  html`<a
    class="button"
    href="${own(`/pay/${subscription_id}`)}"
    aria-describedby="${`of-${subscription_id}`}"
    >${texts.payNow(money(subscription.currency, amount.total))}</a
  >`;

type Requests = ReadonlyMap<string, BuyerRequest>;

const requestOf = (checkout: Checkout, requests: Requests, reader: PageReader) =>
  requestPart(checkout, requests.get(checkout.subscription.subscription_id), reader);

function owedList(owed: Checkout[], requests: Requests, reader: PageReader): Html {
  const words = BUYER_WORDS[reader.language];
  if (owed.length === 0) return html`<p>${words.nothingOwed}</p>`;
  return list(
    owed.map(
      (checkout) =>
        html`${nameOf(checkout)}
        ${checkout.subscription.status === "pending_checkout" && html`<p>${words.waits}</p>`}
        ${periodNote(checkout, reader)} ${payLink(checkout, reader)}
        ${requestOf(checkout, requests, reader)}`,
    ),
  );
}

function haveList(having: Checkout[], requests: Requests, reader: PageReader): Html | null {
  if (having.length === 0) return null;
  const { texts, own, day } = reader;
  return list(
    having.map((checkout) => {
      const { seller, subscription } = checkout;
      const { status, next_billing_cycle: end, subscription_id } = subscription;
      return html`${nameOf(checkout)}
        <p>
          ${end ? texts.runsUntil(day(localDate(end, seller.time_zone))) : texts.once}
          ${status === "pending_cancellation" && texts.ended[status]}
        </p>
        ${
          canPayEarly(subscription) &&
          html`<p class="alone">
            <a
              href="${own(`/pay/${subscription_id}?early=1`)}"
              aria-describedby="${`of-${subscription_id}`}"
              >${texts.payEarly}</a
            >
          </p>`
        }
        ${requestOf(checkout, requests, reader)}`;
    }),
  );
}

const endedList = (ended: Checkout[], reader: PageReader): Html =>
  html`<details class="part">
    <summary>${BUYER_WORDS[reader.language].ended}</summary>
    ${list(
      ended.map(
        (checkout) =>
          html`${nameOf(checkout)}
            <p>${textByName(reader.texts.ended, checkout.subscription.status)}</p>`,
      ),
    )}
  </details>`;

async function paymentsOf(
  database: Database,
  { seller, reader }: Shown,
  proven: Proven,
  before: string | null,
): Promise<Html> {
  const words = BUYER_WORDS[reader.language];
  const limit = PAYMENTS_A_PAGE + 1;
  const rows = await selectOwnPayments(database, proven, { before, limit });
  const paid = rows.slice(0, PAYMENTS_A_PAGE);
  const last = rows.length > PAYMENTS_A_PAGE ? paid.at(-1) : undefined;
  if (paid.length === 0) return html`<p>${words.noPayments}</p>`;
  return html`${list(paid.map((payment) => paymentItem(payment, seller.time_zone, reader)))}
  ${
    last &&
    html`<p class="alone">
      <a href="${reader.own(`${buyersPageOf(seller)}?before=${last.payment_id}`)}"
        >${words.earlier}</a
      >
    </p>`
  }`;
}

const paymentItem = (
  { subscription_id, product_name, paid_at, method, currency, amount, ...payment }: OwnPayment,
  timeZone: string,
  { texts, money, moment, language }: PageReader,
): Html =>
  html`<h3>${money(currency, amount)}</h3>
    <p class="plan">
      ${product_name} · ${moment(paid_at, timeZone)} · ${texts.methods[method]}
    </p>
    ${payment.is_reversed && html`<p>${BUYER_WORDS[language].reversed}</p>`}
    ${payment.bills.map(
      ({ bill_id, kind, label }) =>
        html`<p class="alone">
          <a href="/pay/${subscription_id}/bill/${bill_id}" download
            >${texts.bills.download(texts.bills.kinds[kind], label)}</a
          >
        </p>`,
    )}`;

/** The details of the buyer in their subscriptions, each once, with the way to correct them. */
function detailCards(checkouts: Checkout[], reader: PageReader): Html {
  const written = ({ full_name, phone, email, address }: Checkout["subscription"]) =>
    [full_name, phone, email, address].filter(Boolean);
  const distinct = Map.groupBy(checkouts, ({ subscription }) =>
    JSON.stringify(written(subscription)),
  );
  return list(
    [...distinct.values()].flatMap((same) => {
      const [checkout = same[0]] = same.filter(isCorrectable);
      if (!checkout) return [];
      const lines = written(checkout.subscription).map((line) => html`${line}<br />`);
      return html`<p>${lines}</p>
        ${isCorrectable(checkout) && correctLink(checkout, reader)}`;
    }),
  );
}

const languageForm = ({ seller, reader }: Shown, chosen: string | null): Html =>
  html`<form method="post" action="${reader.own(`${buyersPageOf(seller)}/language`)}">
    <fieldset>
      <legend>${BUYER_WORDS[reader.language].languageText}</legend>
      ${LANGUAGES.map(
        (language) =>
          html`<label class="choice"
            ><input
              type="radio"
              name="language"
              value="${language}"
              required
              ${language === (chosen ?? reader.language) ? html`checked` : null}
            />
            <span lang="${language}">${TEXTS[language].name}</span></label
          >`,
      )}
    </fieldset>
    <button class="quieter">${reader.texts.correct.save}</button>
  </form>`;

function remindersForm({ seller, reader }: Shown, hasOptedOut: boolean): Html {
  const { running, ended, end, resume, keeps } = REMINDER_WORDS[reader.language].page;
  return html`<form method="post" action="${reader.own(`${buyersPageOf(seller)}/reminders`)}">
    <p role="status">${hasOptedOut ? ended(seller.name) : running(seller.name)}</p>
    <p class="hint">${keeps}</p>
    <button class="quieter" name="choice" value="${hasOptedOut ? "resume" : "stop"}">
      ${hasOptedOut ? resume : end}
    </button>
  </form>`;
}
