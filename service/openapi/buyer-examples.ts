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

/** Schemas of buyers' requests, as answers and as requests. */
export const BUYER_ANSWERS = { BuyerRequest, BuyerRequestPage, SharedLink, SharedLinkList };
export const BUYER_REQUESTS = { AnswerBuyerRequest, ChangeSharedLink };

/** Descriptions of these schemas' fields, part of `DESCRIPTIONS`. */
export const BUYER_DESCRIPTIONS: Record<string, string> = {
  "SharedLink.pbp_id": "The billing period that is ordered there.",
  "SharedLink.address": "Where new buyers order; whoever has it can.",
  "SharedLink.is_active": "Whether it is switched on.",
  "SharedLink.created_at": "When it was first switched on.",
  "SharedLink.subscriptions": "How many subscriptions began there.",
  "SharedLink.paid": "How many of them were paid.",
  "SharedLink.newest": "The latest 20 of them, newest first.",
  "SharedLink.ordered_at": "When it was ordered, by the seller's clock.",
  "SharedLink.is_paid": "Whether it was paid.",
  "SharedLinkList.problem": "Why nobody can order at the moment; null if they can.",
  "ChangeSharedLink.pbp_id": "The billing period.",
  "ChangeSharedLink.change": "What becomes of its link.",
  "BuyerRequest.id": "The request's id.",
  "BuyerRequest.subscription_id": "The subscription that it is about.",
  "BuyerRequest.full_name": "The buyer's name.",
  "BuyerRequest.product_name": "The product's name.",
  "BuyerRequest.kind": "A `pause` of payments, or to `stop` with the current period.",
  "BuyerRequest.until": "The billing date that a pause asks for; null for a stop.",
  "BuyerRequest.words": "The buyer's own words; empty without.",
  "BuyerRequest.state": "What became of it; `withdrawn` by the buyer.",
  "BuyerRequest.ended_at": "When it was answered or withdrawn.",
  "BuyerRequest.answered_by": "Who answered.",
  "BuyerRequest.answer": "What the buyer is told with the answer; empty without.",
  "BuyerRequest.asked_at": "When it was asked, by the seller's clock.",
  "BuyerRequestPage.open": "How many are open, whatever the filters.",
  "AnswerBuyerRequest.decision": "Whether it is agreed to.",
  "AnswerBuyerRequest.next_billing_cycle":
    "The billing date of an accepted pause; the one that was asked for if it is left out.",
  "AnswerBuyerRequest.answer": "What the buyer is told with it.",
  "AnswerBuyerRequest.by": "Who answers.",
};
