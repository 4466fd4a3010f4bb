import { randomBytes } from "node:crypto";
import { givenIn, type SimulatedAnswer, type SimulatedRequest } from "./gateway-simulator.ts";

export const OUTCOMES = ["approve", "decline", "cancel", "expire", "refund"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface SimulatedPayment {
  reference: string;
  /** Smallest unit of the currency. */
  units: bigint;
  currency: string;
  label: string;
  /** The provider's own word for its state. */
  word: string;
  transaction: string | null;
  begun_at: Date;
  /** The fields of the request that began it. */
  fields: Record<string, string>;
}

/** The payments of a simulated provider, with a clock of its own. */
export class PaymentBook {
  readonly payments = new Map<string, SimulatedPayment>();
  /** How the provider treats refunds; the words are the simulator's. */
  refunds = "normal";
  private offset = 0;
  private readonly changes: { fields: Record<string, unknown>; isWhole: boolean }[] = [];
  private readonly words: Record<Outcome, string>;
  private readonly decided: (payment: SimulatedPayment, outcome: Outcome) => void;

  constructor(
    words: Record<Outcome, string>,
    decided: (payment: SimulatedPayment, outcome: Outcome) => void = () => {},
  ) {
    this.words = words;
    this.decided = decided;
  }

  now(): Date {
    return new Date(Date.now() + this.offset);
  }

  /** Moves the provider's clock ahead of ours, or behind. */
  setClock(seconds: number): void {
    this.offset = seconds * 1_000;
  }

  begin(payment: Omit<SimulatedPayment, "begun_at" | "transaction">): SimulatedPayment {
    const begun = { ...payment, transaction: null, begun_at: this.now() };
    this.payments.set(payment.reference, begun);
    return begun;
  }

  /** Records the decision of the buyer or the provider about a payment, which may be late. */
  decide(reference: string, outcome: Outcome): SimulatedPayment | null {
    const payment = this.payments.get(reference);
    if (!payment) return null;
    payment.word = this.words[outcome];
    if (outcome === "approve") payment.transaction ??= randomBytes(6).toString("hex");
    this.decided(payment, outcome);
    return payment;
  }

  /** Gives a payment any state, in the provider's own word. */
  say(reference: string, word: string): SimulatedPayment | null {
    const payment = this.payments.get(reference);
    if (payment) payment.word = word;
    return payment ?? null;
  }

  /** Changes fields of the next answer about a payment, or replaces the whole answer. */
  answerNext(fields: Record<string, unknown>, isWhole = false): void {
    this.changes.push({ fields, isWhole });
  }

  /** An answer about a payment, with the changes that a test set. */
  told(body: Record<string, unknown>): Record<string, unknown> {
    const change = this.changes.shift();
    if (!change) return body;
    return change.isWhole ? change.fields : { ...body, ...change.fields };
  }

  /** Drops the changes that a test set, so that answers are as documented again. */
  calm(): void {
    this.changes.length = 0;
    this.refunds = "normal";
  }

  clear(): void {
    this.payments.clear();
    this.calm();
    this.offset = 0;
  }

  /**
   * POST /_sim/outcome {"reference", "outcome" or "word"}, POST /_sim/answer {"fields", "whole"}, POST
   * /_sim/clock {"seconds"}, POST /_sim/refunds {"mode"}, GET /_sim/payments.
   */
  control(request: SimulatedRequest): SimulatedAnswer | null {
    const given = givenIn(request);
    switch (`${request.method} ${request.path}`) {
      case "GET /_sim/payments":
        return {
          status: 200,
          body: [...this.payments.values()].map((each) => ({
            ...each,
            units: String(each.units),
          })),
        };
      case "POST /_sim/outcome": {
        const outcome = OUTCOMES.find((each) => each === given.outcome);
        const reference = String(given.reference);
        const payment = outcome
          ? this.decide(reference, outcome)
          : typeof given.word === "string" && this.say(reference, given.word);
        return payment
          ? { status: 200, body: { word: payment.word } }
          : { status: 400, body: { outcomes: OUTCOMES } };
      }
      case "POST /_sim/answer":
        this.answerNext(given.fields as Record<string, unknown>, given.whole === true);
        return { status: 200, body: {} };
      case "POST /_sim/clock":
        this.setClock(Number(given.seconds));
        return { status: 200, body: { now: this.now() } };
      case "POST /_sim/refunds":
        this.refunds = String(given.mode);
        return { status: 200, body: {} };
      default:
        return null;
    }
  }
}

const escape = (text: string) =>
  text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

export const page = (status: number, title: string, content = ""): SimulatedAnswer => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${escape(title)}</title>
<h1>${escape(title)}</h1>${content}</html>`,
});

const seeOther = (location: string): SimulatedAnswer => ({
  status: 303,
  headers: { location },
  body: "",
});

/** Sends a buyer's browser to the page on which they decide. */
export const toPayPage = (reference: string) =>
  seeOther(`/pay?reference=${encodeURIComponent(reference)}`);

/**
 * The page on which a buyer approves, declines or cancels; it needs no JavaScript.
 * @param back where a browser goes then; null if the provider leads nowhere
 * @returns null for requests that are not about this page
 */
export function answerPayPage(
  { method, path, query, body }: SimulatedRequest,
  provider: string,
  book: PaymentBook,
  back: (payment: SimulatedPayment, outcome: Outcome) => string | null,
): SimulatedAnswer | null {
  if (path !== "/pay") return null;
  const fields = method === "POST" ? new URLSearchParams(body) : query;
  const reference = fields.get("reference") ?? fields.get("pidx") ?? "";
  const payment = book.payments.get(reference);
  if (!payment) return page(404, `${provider} does not know this payment`);
  const outcome = OUTCOMES.find((each) => each === fields.get("outcome"));
  if (method === "POST" && outcome) {
    book.decide(reference, outcome);
    const location = back(payment, outcome);
    return location === null ? page(200, `${provider}: ${payment.word}`) : seeOther(location);
  }
  const amount = `${payment.currency} ${payment.units} (smallest unit)`;
  const buttons = (["approve", "decline", "cancel"] as const)
    .map((each) => `<button name="outcome" value="${each}">${each}</button>`)
    .join(" ");
  return page(
    200,
    `Simulated ${provider}`,
    `<p>${escape(payment.label)}</p><p>${escape(amount)}</p>
<form method="post" action="/pay"><input type="hidden" name="reference" value="${escape(reference)}">${buttons}</form>`,
  );
}

/** The address with further fields in its query. */
export const withQuery = (url: string, fields: Record<string, string>) => {
  const target = new URL(url);
  for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value);
  return target.href;
};

/** A gateway's own address, as the request named it. */
export const originOf = ({ headers }: SimulatedRequest) => `http://${headers.host ?? ""}`;
