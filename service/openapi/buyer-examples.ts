import {
  AnswerBuyerRequest,
  BuyerRequest,
  BuyerRequestPage,
} from "#contract/buyer-requests.ts";
import { ChangeSharedLink, SharedLink, SharedLinkList } from "#contract/products.ts";
import { EXAMPLE_TIME } from "./example-shop.ts";

const SHARED = {
  pbp_id: "pbp_monthly_litre",
  address: "https://billing.example/buy/4f1c09ab7e3d52086b9ac1e7",
  is_active: true,
  created_at: EXAMPLE_TIME,
  subscriptions: 12,
  paid: 9,
  newest: [
    {
      subscription_id: "3f0c2b7e-9a41-4d6c-8e15-7b2d90c4a6f1",
      full_name: "Asmita Rai",
      ordered_at: EXAMPLE_TIME,
      is_paid: true,
    },
  ],
};

const ASKED = {
  id: "0d9c4f1e-7a2b-4c86-9e35-61b8d2f7a054",
  subscription_id: "3f0c2b7e-9a41-4d6c-8e15-7b2d90c4a6f1",
  full_name: "Asmita Rai",
  product_name: "Fresh Milk at the Door",
  kind: "pause",
  until: "2026-05-01",
  words: "We are away in April.",
  state: "open",
  asked_at: EXAMPLE_TIME,
  ended_at: null,
  answered_by: null,
  answer: "",
};

/** Examples of what buyers ask for on their page, and of the links at which new ones order. */
export const BUYER_EXAMPLES = {
  SharedLink: SHARED,
  SharedLinkList: { problem: null, results: [SHARED] },
  ChangeSharedLink: { pbp_id: SHARED.pbp_id, change: "open" },
  BuyerRequest: ASKED,
  BuyerRequestPage: { open: 1, next: null, results: [ASKED] },
  AnswerBuyerRequest: {
    decision: "decline",
    answer: "Your offer ends with a pause.",
    by: { id: "user-7", name: "Sita Rai" },
  },
};

/** Schemas of buyers' requests and of shared links, as answers and as requests. */
export const BUYER_ANSWERS = { BuyerRequest, BuyerRequestPage, SharedLink, SharedLinkList };
export const BUYER_REQUESTS = { AnswerBuyerRequest, ChangeSharedLink };

/** Descriptions of the fields of these schemas, part of `DESCRIPTIONS`. */
export const BUYER_DESCRIPTIONS: Record<string, string> = {
  "SharedLink.pbp_id": "The billing period that buyers order at the link.",
  "SharedLink.address": "The URL at which new buyers order; anybody who has it can.",
  "SharedLink.is_active": "Whether the link is switched on.",
  "SharedLink.created_at": "When the link was first switched on.",
  "SharedLink.subscriptions": "Number of subscriptions that began at the link.",
  "SharedLink.paid": "How many of these subscriptions were paid.",
  "SharedLink.newest": "The latest 20 of these subscriptions, newest first.",
  "SharedLink.ordered_at": "When it was ordered, by the seller's clock.",
  "SharedLink.is_paid": "Whether the subscription was paid.",
  "SharedLinkList.problem": "Why nobody can order at the moment; null if buyers can.",
  "ChangeSharedLink.pbp_id": "The billing period.",
  "ChangeSharedLink.change": "What to do with the billing period's link.",
  "BuyerRequest.id": "The request's id.",
  "BuyerRequest.subscription_id": "The subscription that the request is about.",
  "BuyerRequest.full_name": "The buyer's name.",
  "BuyerRequest.product_name": "The product's name.",
  "BuyerRequest.kind": "`pause`: to pause payments. `stop`: to end with the current period.",
  "BuyerRequest.until": "The billing date that a pause asks for; null for a stop.",
  "BuyerRequest.words": "The buyer's own words; may be empty.",
  "BuyerRequest.state":
    "Whether the seller has answered; `withdrawn`: the buyer took the request back.",
  "BuyerRequest.ended_at": "When it was answered or withdrawn.",
  "BuyerRequest.answered_by": "The member who answered.",
  "BuyerRequest.answer": "The seller's words to the buyer; may be empty.",
  "BuyerRequest.asked_at": "When the buyer asked, by the seller's clock.",
  "BuyerRequestPage.open": "Number of open requests, whatever the filters.",
  "AnswerBuyerRequest.decision": "Whether the request is accepted.",
  "AnswerBuyerRequest.next_billing_cycle":
    "The billing date of an accepted pause; if left out, the date that the buyer asked for.",
  "AnswerBuyerRequest.answer": "The seller's words to the buyer.",
  "AnswerBuyerRequest.by": "The member who answers.",
};
