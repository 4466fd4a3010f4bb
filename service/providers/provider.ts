import type * as z from "zod";
import type { DisputeState } from "#contract/names.ts";
import type { GatewayIo } from "../outgoing/gateway.ts";

/** How the buyer gets from the checkout to the provider. */
export type HandOver =
  | { kind: "redirect"; url: string }
  /** A form that the buyer submits with one button; its fields hold no secret. */
  | { kind: "form"; action: string; fields: Record<string, string> }
  /** A text that the checkout draws as a QR code. */
  | { kind: "qr"; text: string }
  /** The provider asks the buyer on their phone. */
  | { kind: "push" };

/** One payment at one provider. Amounts are decimal texts with two places: "1200.00". */
export interface ProviderCharge {
  seller_id: number;
  /** Ours, a UUID; the same each time `begin` is called for this charge. */
  charge_id: string;
  /** The reference at the provider; null before `begin` if the provider chooses it. */
  reference: string | null;
  amount: string;
  currency: string;
  begun_at: Date;
  /** The provider's id of the payment, once it is known. */
  transaction_id: string | null;
}

export interface BeginDetails {
  /** The seller's name and what is paid, as the buyer reads it. */
  label: string;
  /** The seller's own address, for providers that ask for it. */
  website: string;
  /** The URL for the buyer's way back; without a query, at most 150 characters. */
  return_url: string;
  /** The URL to which the provider posts its notices. */
  notice_url: string;
  buyer: { name: string; phone: string; email: string | null };
  language: "en" | "ne";
}

export type BeginAnswer =
  | {
      state: "begun";
      reference: string;
      hand_over: HandOver;
      /** When the provider ends it unpaid, on the real clock; null if it does not say. */
      expires_at: Date | null;
    }
  | {
      state: "refused";
      why: "amount_too_small" | "amount_too_large" | "currency" | "credentials" | "request";
      /** The provider's own word, without secrets and details of the buyer. */
      text: string;
    };

export type ChargeFailure = "declined" | "insufficient_balance" | "timed_out";

/** A buyer's dispute at their bank. Amounts are the current ones, in the charge's currency. */
export interface ProviderDispute {
  state: DisputeState;
  /** The amount that the provider took back and has not returned. */
  taken: string;
  /** The provider's fee; null if it does not say. */
  fee: string | null;
}

export type InquiryAnswer =
  | { state: "pending" }
  | {
      state: "approved";
      amount: string;
      currency: string;
      transaction_id: string;
      fee: string | null;
      at: Date | null;
      /** A dispute that is over and was won. */
      dispute?: ProviderDispute;
    }
  /** `at`: when the charge failed, if that is known; default the time of the question. */
  | { state: "failed"; reason: ChargeFailure; at?: Date }
  /** The buyer left, or the page expired; nothing was charged. */
  | { state: "left" }
  /** The money went back to the buyer, also after it was approved. `amount`: how much. */
  | { state: "refunded"; amount: string | null; dispute?: ProviderDispute }
  /**
   * Anything else: a person decides. `word` is the provider's own, of at most 40 characters.
   * `amount`: of a dispute, where the provider tells it.
   */
  | { state: "held"; word: string; amount?: string; dispute?: ProviderDispute };

export type RefundAnswer =
  | { state: "done"; refund_id: string | null }
  | { state: "under_way"; refund_id: string }
  /** `again`: whether a later call can succeed. */
  | { state: "refused"; text: string; again: boolean }
  /**
   * No API can do it: the seller refunds it at `where`, for example "merchant.esewa.com.np".
   * `isUncertain`: it may have been made already.
   */
  | { state: "by_hand"; where: string | null; isUncertain?: true };

/** A payment as the provider's own list tells it. */
export interface ListedPayment {
  /** Equals the charge's `reference`; null if the list does not tell it. */
  reference: string | null;
  transaction_id: string | null;
  /** Null if the amount cannot be read. */
  amount: string | null;
  currency: string;
  /** unclear: the provider's word for the state is not known. */
  state: "paid" | "refunded" | "unpaid" | "unclear";
  at: Date | null;
  /** Whether the seller may have taken the payment without this service. */
  isOther: boolean;
}

/** A page of payments that were begun or paid within a time. */
export interface PaymentListPage {
  payments: ListedPayment[];
  /** The cursor of the next page; null for the last one. */
  next: string | null;
}

export interface PaymentListQuery {
  from: Date;
  to: Date;
  /** The cursor that the previous page gave; null for the first one. */
  page: string | null;
}

export interface ProviderCheck {
  ok: boolean;
  /** One sentence that says what was proved, and what could not be. */
  text: string;
}

/** A request to the address for notices, as it arrived. */
export interface ProviderNotice {
  headers: Record<string, string | undefined>;
  query: Record<string, string>;
  body: string;
}

/** No answer about the charge: the provider was not reached, or its answer was lost or unreadable. */
export class ProviderFault extends Error {
  override name = "ProviderFault";
  /**
   * `not_reached`: nothing left, repeat at will. `unknown`: the request left. `credentials`: the
   * account was refused, and rests for a while. `busy`: later, see `retryAfter`.
   */
  readonly kind: "not_reached" | "unknown" | "credentials" | "busy";
  /** Seconds; null if none was named. */
  readonly retryAfter: number | null;
  constructor(kind: ProviderFault["kind"], text: string, retryAfter: number | null = null) {
    super(text);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}

/** The connection that a provider needs; the same guard as for the message gateways. */
export type ProviderIo = GatewayIo;

/** Settings of an account as its adapter has read them. */
export type ProviderSettings = Record<string, unknown>;

/**
 * One provider's protocol. Network faults are thrown as `ProviderFault` and never become an
 * answer; a return or a notice never proves a payment, only `inquire` does.
 */
export interface ProviderAdapter {
  readonly provider: string;
  /** The default name for buyers, such as "eSewa". */
  readonly label: string;
  /** Answers from this database: it may be asked at any time, and failed and left are final. */
  readonly isLocal?: true;
  /** The kind of payment in the API, events and lists. */
  readonly method: "wallet" | "bank" | "card";
  readonly settings: z.ZodType<ProviderSettings>;
  /** The names of the settings that are write-only. */
  readonly secrets: readonly string[];
  /** The names of the settings that identify the merchant's account, if there are any. */
  readonly merchant?: readonly string[];
  /** The payments that the provider accepts; limits are inclusive. */
  readonly can: {
    currencies: readonly string[];
    least: string | null;
    most: string | null;
    refund: "full" | "partial" | "none";
    /** Whether a repeated `begin` returns the same charge rather than a second one. */
    repeatBegin: boolean;
    /**
     * Which refunds can be sent again with the same key after their answer was lost, and still give
     * the money back only once. `whole`: only a refund of the whole charge.
     */
    repeatRefund: "always" | "whole" | "never";
    /** Whether buyers sign in there to pay; a card's number says nothing of who enters it. */
    identifyBuyer: boolean;
  };
  /** The mode to which the credentials belong, as far as they show it; null if they do not. */
  modeOf(settings: ProviderSettings): "test" | "live" | null;
  /** The name of the portal in which the seller refunds by hand; null if unknown. */
  portalOf(settings: ProviderSettings): string | null;
  /** The origins to which its form and the redirects after it lead, for the CSP's `form-action`. */
  formTargets(settings: ProviderSettings): readonly string[];
  /**
   * The reference if it is ours to choose, within the provider's alphabet and length; it is stored
   * before `begin` is called. Null if the provider chooses it.
   */
  referenceOf(charge_id: string): string | null;
  begin(
    charge: ProviderCharge,
    details: BeginDetails,
    settings: ProviderSettings,
    io: ProviderIo,
  ): Promise<BeginAnswer>;
  inquire(
    charge: ProviderCharge,
    settings: ProviderSettings,
    io: ProviderIo,
  ): Promise<InquiryAnswer>;
  /** Gives back `amount` of an approved charge; `key` is the same for each repetition. */
  refund(
    charge: ProviderCharge,
    refund: { amount: string; key: string; refund_id: string | null },
    settings: ProviderSettings,
    io: ProviderIo,
  ): Promise<RefundAnswer>;
  /** Asks about a refund that was under way. */
  inquireRefund?(
    charge: ProviderCharge,
    refund_id: string,
    settings: ProviderSettings,
    io: ProviderIo,
  ): Promise<RefundAnswer>;
  /**
   * Lists the account's payments, where the provider has such a list. Pages can overlap, and hold
   * payments of other times.
   */
  list?(
    query: PaymentListQuery,
    settings: ProviderSettings,
    io: ProviderIo,
  ): Promise<PaymentListPage>;
  /** Ends an unpaid charge, where the provider can; `inquire` then tells how it ended. */
  cancel?(charge: ProviderCharge, settings: ProviderSettings, io: ProviderIo): Promise<void>;
  /** The reference that a return to our address names, without proof. Null if it names none. */
  readReturn(query: Record<string, string>): string | null;
  /** The reference, or the transaction, that a notice names; null if it is forged or names none. */
  readNotice?(notice: ProviderNotice, settings: ProviderSettings): string | null;
  /** Asks the provider whether the credentials work; moves no money. */
  check(settings: ProviderSettings, io: ProviderIo): Promise<ProviderCheck>;
}
