import * as z from "zod";
import type { BuyerRequest } from "#contract/buyer-requests.ts";
import { BUYER_REQUEST_KINDS } from "#contract/names.ts";
import { localDate } from "#contract/process/local-day.ts";
import { isPlainText } from "#contract/field-messages.ts";
import { describeCheckout, type Checkout } from "../checkout/open.ts";
import { latinDigits, type PageReader } from "../checkout/reader.ts";
import { buyersPageOf } from "../account/profile.ts";
import { transaction, type Database } from "../db/database.ts";
import { html, type Html } from "../http/html.ts";
import type { ServiceContext } from "../context.ts";
import { sellerNow, type Seller } from "../sellers/store.ts";
import {
  countRequests,
  endRequest,
  insertRequest,
  lockRequest,
  selectRequests,
} from "./request-store.ts";
import { selectOwnSubscription, type Proven } from "./store.ts";
import { BUYER_WORDS } from "./words.ts";

const DAY = 86_400_000;
const REQUESTS_A_DAY = 5;
/** The longest pause that can be asked for. */
const LONGEST_PAUSE = { years: 1 };
/** How long the buyer sees an answer. */
const SHOWN = 60 * DAY;

/**
 * The kinds of requests that are possible; none unless the subscription renews and is active. While a
 * payment is due, a pause would also move what is owed.
 */
const kindsFor = ({
  subscription: { status, is_one_time },
}: Checkout): readonly (typeof BUYER_REQUEST_KINDS)[number][] =>
  status === "active" && !is_one_time ? BUYER_REQUEST_KINDS : [];

/** The first and the last day to which the billing date can be moved. */
function pauseLimits({ seller, subscription, now }: Checkout) {
  const today = localDate(now, seller.time_zone);
  const { next_billing_cycle: end } = subscription;
  const billing = end ? localDate(end, seller.time_zone) : today;
  const last = Temporal.PlainDate.compare(billing, today) > 0 ? billing : today;
  return { from: last.add({ days: 1 }), to: last.add(LONGEST_PAUSE) };
}

export const AskFor = z.object({
  subscription: z.guid(),
  kind: z.enum(BUYER_REQUEST_KINDS),
  until: z.string().trim().max(10).transform(latinDigits).default(""),
  // Browsers count a new line as one character, and send two.
  words: z
    .string()
    .trim()
    .transform((text) => text.replaceAll("\r\n", "\n"))
    .pipe(z.string().max(500).refine(isPlainText))
    .default(""),
});
export const Withdraw = z.object({ id: z.guid() });

type Asked = "asked" | "day" | "asked_often" | "not_possible";

/** Asks for a pause or an end; changes nothing while a request for the subscription is open. */
export const askFor = (
  { pool, now: clock }: Pick<ServiceContext, "pool" | "now">,
  seller: Seller,
  proven: Proven,
  { subscription: id, kind, until, words }: z.output<typeof AskFor>,
): Promise<Asked | null> =>
  transaction(pool, async (database) => {
    const now = sellerNow(seller, clock());
    const stored = await selectOwnSubscription(database, proven, id);
    if (!stored) return null;
    const checkout = await describeCheckout(database, { seller, stored, now });
    if (!kindsFor(checkout).includes(kind)) return "not_possible";
    if (kind === "pause" && !isWithin(until, pauseLimits(checkout))) return "day";
    const since = new Date(now.getTime() - DAY);
    const { seller_id } = seller;
    if ((await countRequests(database, seller_id, id, since)) >= REQUESTS_A_DAY)
      return "asked_often";
    await insertRequest(database, {
      seller_id,
      subscription_id: id,
      kind,
      until: kind === "pause" ? until : null,
      words,
      at: now,
    });
    return "asked";
  });

function isWithin(day: string, { from, to }: ReturnType<typeof pauseLimits>): boolean {
  if (!z.iso.date().safeParse(day).success) return false;
  const date = Temporal.PlainDate.from(day);
  return (
    Temporal.PlainDate.compare(date, from) >= 0 && Temporal.PlainDate.compare(date, to) <= 0
  );
}

/** Takes an open request back. @returns whether it is the buyer's */
export const withdrawRequest = (
  { pool, now }: Pick<ServiceContext, "pool" | "now">,
  seller: Seller,
  proven: Proven,
  id: string,
): Promise<boolean> =>
  transaction(pool, async (database) => {
    const [known] = await selectRequests(database, seller.seller_id, { id }, 1);
    if (!known || !(await isOwn(database, proven, known))) return false;
    const request = await lockRequest(database, seller.seller_id, id);
    if (request?.state === "open")
      await endRequest(database, seller.seller_id, request, {
        state: "withdrawn",
        at: sellerNow(seller, now()),
        by: null,
        answer: "",
      });
    return true;
  });

const isOwn = async (database: Database, proven: Proven, { subscription_id }: BuyerRequest) =>
  (await selectOwnSubscription(database, proven, subscription_id)) !== null;

/** A subscription's open request; without one, the last answer and the form for a new request. */
export function requestPart(
  checkout: Checkout,
  newest: BuyerRequest | undefined,
  reader: PageReader,
): Html | null {
  if (newest?.state === "open") return openRequest(checkout, newest, reader);
  const kinds = kindsFor(checkout);
  return html`${answerOf(checkout, newest, reader)}
  ${kinds.length > 0 && askForm(checkout, kinds, reader)}`;
}

const wishOf = ({ kind, until }: BuyerRequest, { language, day }: PageReader) => {
  const { pause, stop } = BUYER_WORDS[language].request.wish;
  return kind === "pause" && until !== null ? pause(day(Temporal.PlainDate.from(until))) : stop;
};

const openRequest = ({ seller }: Checkout, request: BuyerRequest, reader: PageReader) => {
  const { waits, withdraw } = BUYER_WORDS[reader.language].request;
  return html`<p class="notice calm">${wishOf(request, reader)} ${waits(seller.name)}</p>
    <form method="post" action="${reader.own(`${buyersPageOf(seller)}/withdraw`)}">
      <input type="hidden" name="id" value="${request.id}" />
      <button class="quieter">${withdraw}</button>
    </form>`;
};

function answerOf(
  { seller, now }: Checkout,
  request: BuyerRequest | undefined,
  reader: PageReader,
): Html | null {
  const ended = request?.ended_at;
  if (!request || !ended || now.getTime() - Date.parse(ended) > SHOWN) return null;
  if (request.state === "withdrawn") return null;
  const isAccepted = request.state === "accepted";
  const { accepted, declined } = BUYER_WORDS[reader.language].request;
  return html`<p class="notice ${isAccepted ? "good" : "calm"}">
    ${wishOf(request, reader)} ${(isAccepted ? accepted : declined)(seller.name)}
    ${request.answer}
  </p>`;
}

function askForm(
  checkout: Checkout,
  kinds: ReturnType<typeof kindsFor>,
  reader: PageReader,
): Html {
  const { seller, subscription } = checkout;
  const { request } = BUYER_WORDS[reader.language];
  const { subscription_id: id } = subscription;
  const { from, to } = pauseLimits(checkout);
  return html`<details>
    <summary class="small" aria-describedby="${`of-${id}`}">${request.title}</summary>
    <form method="post" action="${reader.own(`${buyersPageOf(seller)}/ask`)}">
      <input type="hidden" name="subscription" value="${id}" />
      <fieldset>
        <legend>${request.what}</legend>
        ${kinds.map(
          (kind, index) =>
            html`<label class="choice"
              ><input
                type="radio"
                name="kind"
                value="${kind}"
                required
                ${index === 0 ? html`checked` : null}
              />
              ${request.kinds[kind]}</label
            >`,
        )}
      </fieldset>
      <label for="${`until-${id}`}">${request.until}</label>
      <input
        id="${`until-${id}`}"
        name="until"
        type="date"
        class="field"
        min="${from.toString()}"
        max="${to.toString()}"
      />
      <label for="${`words-${id}`}">${request.words}</label>
      <textarea
        id="${`words-${id}`}"
        name="words"
        class="field"
        rows="2"
        maxlength="500"
      ></textarea>
      <button class="quieter">${request.ask(seller.name)}</button>
      <p class="hint">${request.note(seller.name)}</p>
    </form>
  </details>`;
}
