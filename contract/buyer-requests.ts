import * as z from "zod";
import { BUYER_REQUEST_KINDS, BUYER_REQUEST_STATES } from "./names.ts";
import { DoneBy, OptionalWords } from "./recorded-payments.ts";
import { defineSentAndReceived, type WireTypes } from "./wire.ts";

const buyerRequest = (wire: WireTypes) =>
  wire.object({
    id: wire.id,
    subscription_id: wire.id,
    full_name: wire.text,
    product_name: wire.text,
    kind: wire.oneOf(BUYER_REQUEST_KINDS),
    /** The billing date that a pause asks for; null for a stop. */
    until: wire.nullable(wire.date),
    /** The buyer's own words; empty if there are none. */
    words: wire.text,
    state: wire.oneOf(BUYER_REQUEST_STATES),
    asked_at: wire.datetime,
    ended_at: wire.nullable(wire.datetime),
    answered_by: wire.nullable(wire.text),
    /** The seller's text to the buyer; may be empty. */
    answer: wire.text,
  });

export const [BuyerRequest, ReceivedBuyerRequest] = defineSentAndReceived(buyerRequest);
export type BuyerRequest = z.output<typeof BuyerRequest>;

export const [BuyerRequestPage, ReceivedBuyerRequestPage] = defineSentAndReceived((wire) =>
  wire.object({
    /** The number of open requests. */
    open: wire.integer,
    next: wire.nullable(wire.text),
    results: wire.list(buyerRequest(wire)),
  }),
);
export type BuyerRequestPage = z.output<typeof BuyerRequestPage>;

/** Body of POST /account/v1/buyer-requests/{id}/answer/. */
export const AnswerBuyerRequest = z.strictObject({
  decision: z.enum(["accept", "decline"], "Use accept or decline."),
  /** The billing date of an accepted pause; the requested one if left out. */
  next_billing_cycle: z.iso.date("Use a date as YYYY-MM-DD.").optional(),
  answer: OptionalWords,
  by: DoneBy,
});
export type AnswerBuyerRequest = z.output<typeof AnswerBuyerRequest>;
