import { EXAMPLE_VERSION } from "./example-shop.ts";

const counts = {
  listed: 42,
  matched: 40,
  statement_only: 1,
  service_only: 0,
  differing: 1,
  unclear: 0,
};

const comparison = {
  has_list: true,
  is_running: false,
  last: {
    source: "daily",
    compared_at: "2026-03-10T20:15:00Z",
    asked: 3,
    ...counts,
    problem: null,
  },
  last_statement: null,
};

const SavedPaymentAccount = {
  provider: "khalti",
  label: null,
  settings: { beginSeconds: "20", askSeconds: "10" },
  secrets_set: ["secretKey"],
  least: null,
  most: "100000.00",
  is_active: true,
  identifies_buyer: false,
  problem: null,
  problem_at: null,
  return_url: "https://api.example.com/pay-return/5a0b7c1e-4f1d-4e0a-9f0e-2d9a4f6c8b13",
  notice_url: "https://api.example.com/pay-notices/5a0b7c1e-4f1d-4e0a-9f0e-2d9a4f6c8b13",
  comparison,
  version: EXAMPLE_VERSION,
};

/** Examples of accounts at payment providers, and of comparing them. */
export const PAYMENT_ACCOUNT_EXAMPLES = {
  SavedPaymentAccount,
  PaymentAccounts: {
    results: [SavedPaymentAccount],
    providers: [
      {
        provider: "khalti",
        label: "Khalti",
        method: "wallet",
        currencies: ["NPR"],
        least: "10.00",
        most: null,
        can_identify_buyer: true,
        settings: [
          {
            name: "secretKey",
            kind: "secret",
            description: "The secret key from Khalti's merchant dashboard.",
            choices: [],
            standard: null,
            is_required: true,
          },
        ],
      },
    ],
    payable: true,
    reason: null,
  },
  SavePaymentAccount: { settings: { secretKey: "the secret key" }, version: EXAMPLE_VERSION },
  OrderPaymentAccounts: { providers: ["khalti", "esewa"] },
  CheckedPaymentAccount: { ok: true, text: "Khalti accepts the key." },
  CompareStatement: {
    entries: [
      {
        reference: "1f0d9c1e-6d0e-4a53-9a0b-6d3f4c1e7a22",
        transaction_id: "000AWEO",
        amount: "1130.00",
        currency: "NPR",
        state: "paid",
        at: "2026-03-09T06:12:00Z",
      },
    ],
    covers_from: "2026-03-08T18:15:00Z",
    covers_to: "2026-03-09T18:15:00Z",
    is_confirmed: true,
  },
  ComparedStatement: {
    is_confirmed: true,
    ...counts,
    opened: 2,
    results: [
      {
        outcome: "differing",
        place: 7,
        reference: "1f0d9c1e-6d0e-4a53-9a0b-6d3f4c1e7a22",
        subscription_id: "8f6f2f0e-6d0e-4a53-9a0b-6d3f4c1e7a22",
        amount: "1130.00",
        currency: "NPR",
        answered_amount: "1103.00",
        answered_currency: "NPR",
        at: "2026-03-09T06:12:00Z",
      },
    ],
  },
};

export const PAYMENT_ACCOUNT_DESCRIPTIONS: Record<string, string> = {
  comparison: "The comparisons of the account with its provider.",
  has_list:
    "Whether the provider lists payments; if not, a statement of its portal can be compared.",
  is_running: "Whether a requested comparison has not ended yet.",
  last: "The last comparison by the service; null if there was none.",
  last_statement: "The last comparison of a portal's statement; null if there was none.",
  "last.source": "What started the comparison.",
  "last_statement.source": "What started the comparison.",
  compared_at: "When they were compared.",
  asked: "Number of payments about which the provider was asked one by one.",
  listed: "Number of payments that the provider lists.",
  matched: "Number of payments that are the same on both sides.",
  statement_only: "Number of payments that are paid at the provider, but not here.",
  service_only: "Number of payments that are paid here, but not at the provider.",
  differing: "Number of payments with another amount or currency at the provider.",
  unclear: "Number of payments whose state or amount cannot be read.",
  "last.problem": "Why the comparison is not complete; null if it is.",
  "last_statement.problem": "Why the comparison is not complete; null if it is.",
  "CompareStatement.entries":
    "The payments that the statement names, each with a reference or a transaction id.",
  "CompareStatement.transaction_id": "The provider's id of the transaction.",
  "CompareStatement.amount": "The amount, as decimal text; null if it cannot be read.",
  "CompareStatement.currency": "The currency, in three capital letters.",
  "CompareStatement.state": "The payment's state according to the statement.",
  "CompareStatement.at": "When it was paid, if the statement says so.",
  covers_from:
    "The start of the time of which the statement names every payment; null if it is not known.",
  covers_to: "The end of that time; null if it is not known.",
  "ComparedStatement.is_confirmed": "Whether the differences became tasks.",
  "CompareStatement.is_confirmed":
    "Whether the differences become tasks; without it nothing is stored.",
  takes_unknown: "Whether payments that are unknown here become tasks too.",
  "ComparedStatement.opened": "Number of new tasks.",
  "ComparedStatement.results": "The differences, at most 500; the counts include all.",
  "ComparedStatement.outcome": "How the statement and the account differ.",
  "ComparedStatement.place":
    "The payment's place in `entries`, from 1; null for a payment that the statement does not name.",
  "ComparedStatement.reference": "The payment's reference at the provider.",
  "ComparedStatement.subscription_id":
    "The subscription; null if the payment is not known here.",
  "ComparedStatement.amount": "The amount known here; null if the payment is not known here.",
  "ComparedStatement.currency":
    "The currency known here; null if the payment is not known here.",
  "ComparedStatement.answered_amount":
    "The amount that the provider names; null if it does not name the payment.",
  "ComparedStatement.answered_currency":
    "The currency that the provider names; null if it does not name the payment.",
  "ComparedStatement.at": "When it was paid, as far as that is known.",
};
