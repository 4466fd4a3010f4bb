import { encode } from "uqr";
import { html, type Html } from "../http/html.ts";
import type { HandOver } from "../providers/provider.ts";
import { beginCharge } from "./charges/begin.ts";
import { markShown } from "./charges/store.ts";
import { followUpAttempt } from "./follow-up.ts";
import { openCheckout, type ShownCheckout } from "./open.ts";
import { noticeBox, type PageFrame } from "./page.ts";
import { openProvider, type OpenProvider, type PaymentContext } from "./provider.ts";
import type { PageReader } from "./reader.ts";
import { agreedLines, checkoutHeading, testNote } from "./sections.ts";
import { selectAttempt, type Attempt } from "./store.ts";

interface Shown {
  frame: PageFrame;
  /** The origins to which the page's form may lead, for form-action. */
  formTargets: string[];
}

/**
 * The page that leads a buyer to the provider: by itself, by a form with one button, by a code to
 * scan, or by a request that the provider sends to the buyer's phone.
 * @returns the address to go to instead, once the attempt is over or has no provider
 */
export async function handOverPage(
  payments: PaymentContext,
  { id, attemptId }: { id: string; attemptId: string },
  reader: PageReader,
  onError: (error: unknown) => void,
): Promise<Shown | string> {
  const { pool, now } = payments;
  const back = `/pay/${id}?attempt=${attemptId}`;
  const attempt = await selectAttempt(pool, id, attemptId);
  if (attempt?.state !== "pending" || attempt.account_id === null) return back;
  const { language } = reader;
  const charge = await beginCharge(payments, attempt, { language }).catch((error: unknown) => {
    onError(error);
    return null;
  });
  const by = await openProvider(payments, attempt.account_id);
  if (!charge?.hand_over || charge.state !== "open" || !by) return back;
  if (charge.hand_over.kind === "qr" && (await isOver(payments, attempt, onError))) return back;
  await markShown(pool, charge.charge_id, now());
  const checkout = await openCheckout(pool, id, now());
  const shown = { checkout, attempt, hand_over: charge.hand_over, by, back };
  return {
    frame: { ...frameOf(payments, shown, reader), branding: checkout.branding },
    formTargets: targetsOf(charge.hand_over, by),
  };
}

/**
 * A page that shows a code to scan asks the provider each time, and leads on once there is an
 * answer.
 */
async function isOver(
  payments: PaymentContext,
  attempt: Attempt,
  onError: (error: unknown) => void,
): Promise<boolean> {
  await followUpAttempt(payments, attempt).catch(onError);
  const asked = await selectAttempt(payments.pool, attempt.subscription_id, attempt.attempt_id);
  return asked?.state !== "pending";
}

const targetsOf = (handOver: HandOver, { adapter, settings }: OpenProvider): string[] =>
  handOver.kind === "form"
    ? [new URL(handOver.action).origin, ...adapter.formTargets(settings)]
    : ["'none'"];

interface Shows {
  checkout: ShownCheckout;
  attempt: Attempt;
  hand_over: HandOver;
  by: OpenProvider;
  back: string;
}

function frameOf(
  { mode }: PaymentContext,
  { checkout, attempt, hand_over, by, back }: Shows,
  reader: PageReader,
): PageFrame {
  const { texts, own } = reader;
  const name = by.account?.label ?? by.adapter.label;
  const heading = html`${testNote(mode, reader)}${checkoutHeading(checkout)}
  ${agreedLines(checkout, attempt, reader)}`;
  const otherWay = html`<p class="hint alone">
    <a href="${own(`/pay/${attempt.subscription_id}?choose=1`)}">${texts.anotherWay}</a>
  </p>`;
  const asked = html`<a class="button" href="${own(back)}">${texts.hasPaid}</a>${otherWay}`;
  switch (hand_over.kind) {
    case "redirect":
      return {
        title: texts.goTo(name),
        onward: { seconds: 0, address: hand_over.url },
        body: html`${heading}${noticeBox(texts.goesByItself, "calm")}
          <a class="button" href="${hand_over.url}" rel="noreferrer">${texts.goTo(name)}</a>`,
      };
    case "form":
      return {
        title: texts.goTo(name),
        body: html`${heading}
          <form method="post" action="${hand_over.action}">
            ${Object.entries(hand_over.fields).map(
              ([field, value]) =>
                html`<input type="hidden" name="${field}" value="${value}" />`,
            )}
            <button>${texts.goTo(name)}</button>
            <p class="hint">${texts.goesTo(name)}</p>
          </form>
          ${otherWay}`,
      };
    case "qr":
      return {
        title: texts.goTo(name),
        onward: { seconds: 10 },
        body: html`${heading}
          <p>${texts.scan(name)}</p>
          ${qrCode(hand_over.text, texts.scanLabel)}
          <p class="hint">${texts.scanHere}</p>
          ${asked}`,
      };
    case "push":
      return {
        title: texts.goTo(name),
        onward: { seconds: 5, address: own(back) },
        body: html`${heading}${noticeBox(texts.onPhone(name), "calm")} ${asked}`,
      };
  }
}

/** A light border of four modules; dark on white in both themes, because scanners need that. */
function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const path = data
    .map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join(""))
    .join("");
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}">
    <path d="M0 0h${size}v${size}h-${size}z" fill="#fff" />
    <path d="${path}" fill="#000" shape-rendering="crispEdges" />
  </svg>`;
}
