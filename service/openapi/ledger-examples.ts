import { EXAMPLE_TIME } from "./example-shop.ts";

const SUBSCRIPTION_ID = "3f0c2b7e-9a41-4d6c-8e15-7b2d90c4a6f1";
const CHARGE_ID = "a1c7f0de-3f5b-4f07-9b6d-2f5f0d8f4c11";
const PAYMENT_ID = "d6061684-2f0e-4b3a-9c57-81e4a7d09b26";

const currency = "NPR";
const none = { provider: null, account_id: null, label: null, currency };
const khalti = {
  account: "provider",
  provider: "khalti",
  account_id: 7,
  label: "Khalti wallet",
  currency,
};
const buyer = { account: "buyer", ...none };
const seller = { account: "seller", ...none };
const providerFee = { account: "provider_fee", ...none };
const ourFee = { account: "our_fee", ...none };

export const LEDGER_EXAMPLES = {
  LedgerBalances: {
    balances: [
      { ...khalti, balance: "1096.10" },
      { ...buyer, balance: "0.00" },
      { ...seller, balance: "-1107.51" },
      { ...providerFee, balance: "33.90" },
      { ...ourFee, balance: "-22.49" },
    ],
  },
  Statement: {
    month: "2026-03",
    time_zone: "Asia/Kathmandu",
    from: "2026-02-28T18:15:00.000Z",
    until: "2026-03-31T18:15:00.000Z",
    is_complete: false,
    accounts: [
      { ...khalti, opening: "0.00", debit: "1096.10", credit: "0.00", closing: "1096.10" },
      { ...buyer, opening: "0.00", debit: "1130.00", credit: "1130.00", closing: "0.00" },
      { ...seller, opening: "0.00", debit: "0.00", credit: "1107.51", closing: "-1107.51" },
      { ...providerFee, opening: "0.00", debit: "33.90", credit: "0.00", closing: "33.90" },
      { ...ourFee, opening: "0.00", debit: "0.00", credit: "22.49", closing: "-22.49" },
    ],
    totals: [
      {
        currency,
        payments: 1,
        paid: "1130.00",
        taken_back: "0.00",
        given_back: "0.00",
        disputed: "0.00",
        provider_fee: "33.90",
        service_fee: "22.49",
        net: "1073.61",
      },
    ],
    next: null,
    entries: [
      {
        id: 4711,
        kind: "charge",
        booked_at: EXAMPLE_TIME,
        subscription_id: SUBSCRIPTION_ID,
        full_name: "Asmita Rai",
        charge_id: CHARGE_ID,
        payment_id: null,
        refund_id: null,
        reference: "bZQLD9wRVWo4CdESSfuSsB",
        lines: [
          { ...khalti, debit: "1096.10", credit: "0.00" },
          { ...providerFee, debit: "33.90", credit: "0.00" },
          { ...buyer, debit: "0.00", credit: "1130.00" },
        ],
      },
      {
        id: 4712,
        kind: "payment",
        booked_at: EXAMPLE_TIME,
        subscription_id: SUBSCRIPTION_ID,
        full_name: "Asmita Rai",
        charge_id: CHARGE_ID,
        payment_id: PAYMENT_ID,
        refund_id: null,
        reference: "bZQLD9wRVWo4CdESSfuSsB",
        lines: [
          { ...buyer, debit: "1130.00", credit: "0.00" },
          { ...ourFee, debit: "0.00", credit: "22.49" },
          { ...seller, debit: "0.00", credit: "1107.51" },
        ],
      },
    ],
  },
};

const ofAccount = (parent: string) => ({
  [`${parent}.account`]:
    "`provider` and `cash`: the money held there. `buyer`: money owed to buyers. `seller`: the seller's income. `refunds`, `disputes` and `provider_fee`: the seller's costs. `our_fee`: the fee owed to the service.",
  [`${parent}.provider`]: "The provider that holds the money; null for other accounts.",
  [`${parent}.account_id`]:
    "The payment account at the provider; null for the sandbox and for other accounts.",
  [`${parent}.label`]: "The provider's name as buyers read it; null for other accounts.",
  [`${parent}.debit`]: "The sum of debits, as decimal text.",
  [`${parent}.credit`]: "The sum of credits, as decimal text.",
});

/** Descriptions of the ledger's fields, part of `DESCRIPTIONS`. */
export const LEDGER_DESCRIPTIONS: Record<string, string> = {
  ...ofAccount("balances"),
  ...ofAccount("accounts"),
  ...ofAccount("lines"),
  "LedgerBalances.balances": "The balance of each account in each currency.",
  balance: "Debits less credits, as decimal text.",
  "Statement.month": "The month, as YYYY-MM.",
  "Statement.from": "The first moment of the month.",
  "Statement.until": "The first moment after the month.",
  is_complete: "Whether the month has ended, so that nothing is added to it.",
  "Statement.accounts":
    "The accounts with a balance or a line; opening + debit - credit = closing.",
  opening: "The balance before the month, as decimal text.",
  closing: "The balance after the month, as decimal text.",
  "Statement.totals": "What was paid and given back, by currency.",
  "totals.payments": "Number of payments.",
  "totals.paid": "The sum of the payments, as decimal text.",
  taken_back: "The sum of recorded payments that were taken back, as decimal text.",
  given_back: "The sum of payments' money that was given back, as decimal text.",
  disputed: "What providers kept back for disputes, less what they returned, as decimal text.",
  provider_fee: "The fees that the providers said they kept, as decimal text.",
  service_fee: "The processing fee, as decimal text.",
  net: "What is left to the seller, as decimal text.",
  entries: "The entries of this page, in the order of time.",
  "entries.id": "The entry's number.",
  "entries.kind":
    "`charge`: a provider took a buyer's money. `payment`: the money paid for something. `reversal`: a recorded payment was taken back. `refund`: money was given back. `provider_refund`: the provider by itself gave money back, or undid that. `refund_failed`: a refund failed after it was made. `dispute`: the provider kept money back, or took a fee, for a dispute. `dispute_returned`: the provider returned that money.",
  booked_at: "When the entry was booked.",
  "entries.charge_id": "The charge that the entry is about; null if there is none.",
  "entries.payment_id": "The payment that the entry is about; null if there is none.",
  "entries.refund_id": "The refund that the entry is about; null if there is none.",
  "entries.reference": "The provider's reference, or a member's note; null if there is none.",
  "entries.lines": "The entry's debits and credits, whose sums are equal.",
};
